// Reads bodies with net/http and mime/multipart of Go, as a server on the port it is given.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
)

type value struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Size   int    `json:"size"`
	Sha256 string `json:"sha256"`
}

func valueOf(name, kind string, data []byte) value {
	return value{name, kind, len(data), fmt.Sprintf("%x", sha256.Sum256(data))}
}

func read(request *http.Request) ([]value, error) {
	found := []value{}
	if err := request.ParseMultipartForm(16 << 20); err != nil && err != http.ErrNotMultipart {
		return nil, err
	}
	for name, texts := range request.PostForm {
		for _, text := range texts {
			found = append(found, valueOf(name, "text", []byte(text)))
		}
	}
	if request.MultipartForm == nil {
		return found, nil
	}
	defer request.MultipartForm.RemoveAll()
	for name, uploads := range request.MultipartForm.File {
		for _, upload := range uploads {
			file, err := upload.Open()
			if err != nil {
				return nil, err
			}
			data, err := io.ReadAll(file)
			file.Close()
			if err != nil {
				return nil, err
			}
			found = append(found, valueOf(name, "file", data))
		}
	}
	return found, nil
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Args[1])
	if err != nil {
		panic(err)
	}
	fmt.Println("started")
	panic(http.Serve(listener, http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		found, err := read(request)
		if err != nil {
			json.NewEncoder(writer).Encode(map[string]string{"error": err.Error()})
			return
		}
		json.NewEncoder(writer).Encode(found)
	})))
}
