# Reads bodies with HTTP::Body.
use strict;
use warnings;
use HTTP::Body;
use Lines;

Lines::serve(sub {
    my ($path, $content_type) = @_;
    my $body = HTTP::Body->new($content_type, -s $path);
    $body->cleanup(1);
    open my $input, '<:raw', $path or die $!;
    while (read $input, my $chunk, 65_521) { $body->add($chunk) }
    die "it waits for more\n" if $body->state ne 'done';
    my ($texts, $files) = ($body->param, $body->upload);
    return (
        (map { Lines::value($_, 'text', $texts->{$_}) } keys %$texts),
        (map { open my $file, '<', $files->{$_}{tempname} or die $!; Lines::value($_, 'file', Lines::contents($file)) }
            keys %$files),
    );
});
