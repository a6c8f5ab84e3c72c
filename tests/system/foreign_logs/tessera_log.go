// A log of Tessera's (POSIX storage) whose checkpoints need the witnesses of a policy.
//
//	tessera_log STORAGE KEY_FILE POLICY_FILE LISTEN
//
// POST /add adds the body as an entry and answers its index once a checkpoint with the quorum of
// cosignatures covers it.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	storage, key, policy, listen := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	signer := must(note.NewSigner(string(must(os.ReadFile(key)))))
	witnesses := must(tessera.NewWitnessGroupFromPolicy(must(os.ReadFile(policy))))
	driver := must(posix.New(ctx, posix.Config{Path: storage}))
	appender, _, reader, err := tessera.NewAppender(ctx, driver, tessera.NewAppendOptions().
		WithCheckpointSigner(signer).
		WithCheckpointInterval(200*time.Millisecond).
		WithBatching(16, 50*time.Millisecond).
		WithWitnesses(witnesses, &tessera.WitnessOptions{Timeout: 20 * time.Second}))
	if err != nil {
		log.Fatal(err)
	}
	awaiter := tessera.NewPublicationAwaiter(ctx, reader.ReadCheckpoint, 50*time.Millisecond)
	http.HandleFunc("/add", func(w http.ResponseWriter, r *http.Request) {
		entry, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		index, _, err := awaiter.Await(r.Context(), appender.Add(r.Context(), tessera.NewEntry(entry)))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, index.Index)
	})
	http.Handle("/", http.FileServer(http.Dir(storage)))
	log.Fatal(http.ListenAndServe(listen, nil))
}
