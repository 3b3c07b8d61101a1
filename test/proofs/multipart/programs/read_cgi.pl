# Reads bodies with CGI.pm.
use strict;
use warnings;
use CGI;
use Lines;

Lines::serve(sub {
    my ($path, $content_type) = @_;
    open STDIN, '<', $path or die $!;
    local @ENV{qw(REQUEST_METHOD CONTENT_TYPE CONTENT_LENGTH)} = ('POST', $content_type, -s $path);
    CGI::initialize_globals();
    my $cgi = CGI->new;
    die $cgi->cgi_error if $cgi->cgi_error;
    return map {
        my $file = $cgi->upload($_);
        defined $file
            ? Lines::value($_, 'file', Lines::contents($file->handle))
            : Lines::value($_, 'text', scalar $cgi->param($_));
    } $cgi->param;
});
