package loginengine

import (
	"encoding/json"
	"strings"
)

type object = map[string]any

// Model is what the engine shows: a snapshot as a JSON document, which keeps the members that a later version of the protocol adds.
type Model object

// Apply carries out a command: protocol/commands.md. It returns false, and does nothing, for a command of a later version.
func (m Model) Apply(command map[string]any) bool {
	set := func(part object) []any { return []any{with(part, command)} }
	remove := func(object) []any { return nil }
	switch name, _ := command["command"].(string); name {
	case "showScreen":
		with(with(object(m), object{"error": nil, "notice": nil, "alert": nil, "scene": nil, "retryAt": nil, "focus": nil, "activity": false}), command)
	case "setState", "setRetryAt", "setFocus", "showError", "showNotice", "showAlert", "showScene":
		with(object(m), command)
	case "hideError", "hideNotice", "hideAlert":
		m[strings.ToLower(name[len("hide"):])] = nil
	case "showActivity", "hideActivity":
		m["activity"] = name == "showActivity"
	case "setItem":
		m.change("items", command["item"], set)
	case "removeItem":
		m.change("items", command["item"], remove)
	case "insertItem":
		m.change("sections", command["section"], func(section object) []any { return []any{insert(section, "items", command, "newItem")} })
	case "insertSection":
		insert(object(m), "sections", command, "newSection")
	case "removeSection":
		m.change("sections", command["section"], remove)
	case "setAction":
		m.change("actions", command["action"], set)
	case "replaceAction":
		m.change("actions", command["action"], func(object) []any { return []any{command["newAction"]} })
	default:
		return false
	}
	return true
}

// Enter enters an edit that the engine has counted. An item without a value stays as it is.
func (m Model) Enter(item string, value any) {
	m.change("items", item, func(part object) []any {
		if _, isSecret := part["filled"]; isSecret {
			part["filled"] = value != ""
		} else if _, hasValue := part["value"]; hasValue {
			part["value"] = value
		}
		return []any{part}
	})
}

// with sets the members of a command in a part, except those that only name the part.
func with(part, command object) object {
	for name, value := range command {
		if name != "command" && name != "item" && name != "action" {
			part[name] = value
		}
	}
	return part
}

// change replaces the item, action or section with this id.
func (m Model) change(member string, id any, by func(part object) []any) {
	holders := []any{object(m)}
	if member == "items" {
		holders, _ = m["sections"].([]any)
	}
	for _, holder := range holders {
		parts, changed := holder.(object)[member].([]any), []any{}
		for _, part := range parts {
			if part.(object)["id"] == id {
				changed = append(changed, by(part.(object))...)
			} else {
				changed = append(changed, part)
			}
		}
		holder.(object)[member] = changed
	}
}

func insert(whole object, member string, command object, added string) object {
	parts, _ := whole[member].([]any)
	number, _ := command["index"].(json.Number)
	if at, err := number.Int64(); err == nil && at >= 0 && at <= int64(len(parts)) {
		whole[member] = append(parts[:at:at], append([]any{command[added]}, parts[at:]...)...)
	}
	return whole
}
