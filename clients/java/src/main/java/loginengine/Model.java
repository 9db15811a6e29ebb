package loginengine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.function.ObjIntConsumer;

/** What the engine shows: a snapshot as a JSON document, which keeps the members that a later version of the protocol adds. */
final class Model {
  ObjectNode shown = Wire.JSON.createObjectNode();

  /** Carries out a command: protocol/commands.md. Returns false, and does nothing, for a command of a later version. */
  boolean apply(JsonNode command) {
    var name = command.path("command").asText();
    switch (name) {
      case "showScreen" -> {
        shown = Wire.JSON.createObjectNode().put("activity", false);
        List.of("error", "notice", "alert", "scene", "retryAt", "focus").forEach(shown::putNull);
        set(shown, command);
      }
      case "setState", "setRetryAt", "setFocus", "showError", "showNotice", "showAlert", "showScene" -> set(shown, command);
      case "hideError", "hideNotice", "hideAlert" -> shown.putNull(name.substring("hide".length()).toLowerCase());
      case "showActivity", "hideActivity" -> shown.put("activity", name.equals("showActivity"));
      case "setItem" -> changeItem(command.path("item"), (items, at) -> set(items.get(at), command));
      case "removeItem" -> changeItem(command.path("item"), ArrayNode::remove);
      case "insertItem" -> change(shown.path("sections"), command.path("section"),
          (sections, at) -> insert(sections.get(at).path("items"), command.path("index"), command.path("newItem")));
      case "insertSection" -> insert(shown.path("sections"), command.path("index"), command.path("newSection"));
      case "removeSection" -> change(shown.path("sections"), command.path("section"), ArrayNode::remove);
      case "setAction" -> change(shown.path("actions"), command.path("action"), (actions, at) -> set(actions.get(at), command));
      case "replaceAction" -> change(shown.path("actions"), command.path("action"), (actions, at) -> actions.set(at, command.path("newAction").deepCopy()));
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Enters an edit that the engine has counted. An item without a value stays as it is. */
  void enter(JsonNode item, JsonNode value) {
    changeItem(item, (items, at) -> {
      var part = (ObjectNode) items.get(at);
      if (part.has("filled")) part.put("filled", !value.equals(TextNode.valueOf("")));
      else if (part.has("value")) part.set("value", value);
    });
  }

  /** Sets the members of a command in a part, except those that only name the part. */
  private static void set(JsonNode part, JsonNode command) {
    command.fields().forEachRemaining(member -> {
      if (!List.of("command", "item", "action").contains(member.getKey())) ((ObjectNode) part).set(member.getKey(), member.getValue().deepCopy());
    });
  }

  private void changeItem(JsonNode id, ObjIntConsumer<ArrayNode> by) {
    for (var section : shown.path("sections")) change(section.path("items"), id, by);
  }

  private static void change(JsonNode parts, JsonNode id, ObjIntConsumer<ArrayNode> by) {
    for (int at = 0; at < parts.size(); at++) {
      if (parts.get(at).path("id").equals(id)) {
        by.accept((ArrayNode) parts, at);
        return;
      }
    }
  }

  private static void insert(JsonNode parts, JsonNode index, JsonNode part) {
    ((ArrayNode) parts).insert(index.asInt(), part.deepCopy());
  }
}
