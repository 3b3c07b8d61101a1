<?php
// Reads bodies with PHP itself, behind its built-in server.
function value(string $name, string $kind, int $size, string $sha256): array
{
    return ['name' => $name, 'kind' => $kind, 'size' => $size, 'sha256' => $sha256];
}

$found = [];
foreach ($_POST as $name => $text) {
    $found[] = value($name, 'text', strlen($text), hash('sha256', $text));
}
foreach ($_FILES as $name => $file) {
    if ($file['error'] !== UPLOAD_ERR_OK) {
        exit(json_encode(['error' => "the upload $name has the error $file[error]"]));
    }
    $found[] = value($name, 'file', filesize($file['tmp_name']), hash_file('sha256', $file['tmp_name']));
}
echo json_encode($found);
