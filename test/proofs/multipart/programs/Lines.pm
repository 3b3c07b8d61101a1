# The loop that every Perl reader shares: a line names a body and its content type, one line of JSON answers.
package Lines;

use strict;
use warnings;
use Digest::SHA qw(sha256_hex);
use JSON::PP;

sub value {
    my ($name, $kind, $data) = @_;
    return { name => $name, kind => $kind, size => length $data, sha256 => sha256_hex($data) };
}

sub serve {
    my ($read) = @_;
    # A reader may want STDIN for the body.
    open my $lines, '<&', \*STDIN or die $!;
    $| = 1;
    while (my $line = <$lines>) {
        chomp $line;
        my $answer = eval { [$read->(split /\t/, $line)] } // { error => "$@" };
        print encode_json($answer), "\n";
    }
}

sub contents {
    my ($file) = @_;
    binmode $file;
    local $/;
    return <$file> // '';
}

1;
