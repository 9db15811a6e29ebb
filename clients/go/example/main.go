package main

import (
	"context"
	"fmt"
	"log"
	"os/exec"

	"loginengine"
)

func main() {
	ctx := context.Background()
	engine, err := loginengine.Start(exec.CommandContext(ctx, "login-engine", "--authenticator", "demo"))
	if err != nil {
		log.Fatal(err)
	}
	session, err := engine.Open(ctx, loginengine.SessionOpenParams{}, func(change loginengine.Change) { fmt.Println(change.Snapshot.State) })
	if err != nil {
		log.Fatal(err)
	}
	session.Edit("email", "ada@example.com")
	session.Edit("password", "correct horse")
	session.Press("") // the button, once the engine has counted both edits
	snapshot, err := session.Wait(ctx, func(it loginengine.Snapshot) bool { return it.Scene != nil || it.Error != nil })
	if err == nil && snapshot.Scene != nil {
		fmt.Println("Hello", snapshot.Scene.Principal)
	}
}
