package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"loginengine"
)

var harmful = regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]`)

// say prints texts, all but the first indented. � replaces characters that could control the terminal or reorder a line.
func say(texts ...string) {
	some := []string{}
	for _, text := range texts {
		if text != "" {
			some = append(some, harmful.ReplaceAllString(text, "�"))
		}
	}
	fmt.Println(strings.ReplaceAll(strings.Join(some, "\n"), "\n", "\n   "))
}

// look formats an item.
func look(item loginengine.Item) string {
	value, _ := item.Value.(string)
	switch item.Kind {
	case loginengine.ItemKindSwitch:
		value = "[ ]"
		if item.Value == true {
			value = "[x]"
		}
	case loginengine.ItemKindSelection:
		chosen := value
		value = "–"
		for _, option := range item.Options {
			if option.ID == chosen {
				value = option.Title
			}
		}
	case loginengine.ItemKindInput:
		if isFilled(item) {
			value = "********"
		} else if value == "" {
			value = "(" + first(item.Placeholder, map[bool]string{true: "YYYY-MM-DD"}[item.InputType == loginengine.ItemInputTypeDate], "–") + ")"
		}
	default:
		value = item.URL + item.Text
	}
	if item.Title != "" && value != "" {
		return item.Title + ": " + value
	}
	return item.Title + value
}

func isFilled(item loginengine.Item) bool { return item.Filled != nil && *item.Filled }

func isField(item loginengine.Item) bool {
	switch item.Kind {
	case loginengine.ItemKindInput, loginengine.ItemKindSelection, loginengine.ItemKindSwitch:
		return !item.ReadOnly
	}
	return false
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// choice is what a number stands for: an item, or the id of an action.
type choice struct {
	item   *loginengine.Item
	action string
}

// draw prints a screen, and returns the choices, by the number to type.
func draw(screen loginengine.Snapshot) map[string]choice {
	choices := map[string]choice{}
	number := func(it choice) string {
		number := strconv.Itoa(len(choices) + 1)
		choices[number] = it
		return number + ". "
	}
	fmt.Println()
	if screen.Scene != nil {
		say("== scene: "+screen.Scene.ID, screen.Scene.Principal)
	} else {
		say("== " + screen.Title)
	}
	if screen.Alert != nil {
		say(screen.Alert.Title, "! "+screen.Alert.Text)
	}
	for _, message := range []*loginengine.Message{screen.Notice, screen.Error} {
		if message != nil {
			say("! " + message.Text)
		}
	}
	for _, section := range screen.Sections {
		if screen.Alert != nil || screen.Scene != nil {
			break
		}
		if section.Title != "" {
			say("-- " + section.Title)
		}
		for index := range section.Items {
			item := section.Items[index]
			texts := []string{look(item), item.Hint}
			for _, message := range item.Messages {
				texts = append(texts, "! "+message.Text)
			}
			if isField(item) {
				texts[0] = number(choice{item: &item}) + texts[0]
			}
			say(texts...)
		}
	}
	button := func(id, title string, isEnabled bool) {
		if isEnabled {
			say(number(choice{action: id}) + "[" + title + "]")
		} else if screen.Scene == nil {
			say(number(choice{action: id}) + "(" + title + ")")
		}
	}
	if screen.Alert != nil {
		for _, action := range screen.Alert.Actions {
			button(action.ID, action.Title, action.Enabled)
		}
	} else {
		for _, action := range screen.Actions {
			button(action.ID, action.Title, action.Enabled)
		}
	}
	if screen.Activity {
		say("...")
	}
	return choices
}
