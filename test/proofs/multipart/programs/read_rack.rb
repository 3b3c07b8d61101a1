# Reads bodies with Rack. A line names a body and its content type, one line of JSON answers.
require 'digest'
require 'json'
require 'rack'

def value(name, kind, data)
  { name: name, kind: kind, size: data.bytesize, sha256: Digest::SHA256.hexdigest(data) }
end

def read(path, content_type)
  File.open(path, 'rb') do |file|
    env = { 'REQUEST_METHOD' => 'POST', 'CONTENT_TYPE' => content_type, 'CONTENT_LENGTH' => file.size.to_s,
            'rack.input' => file }
    Rack::Request.new(env).POST.map do |name, found|
      found.is_a?(Hash) ? value(name, 'file', found[:tempfile].read) : value(name, 'text', found)
    end
  end
end

$stdout.sync = true
$stdin.each_line(chomp: true) do |line|
  answer = begin
    read(*line.split("\t"))
  rescue StandardError => e
    { error: e.inspect }
  end
  puts JSON.generate(answer)
end
