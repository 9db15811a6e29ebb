"""Writes the definitions as Java records for Jackson. An item or a command is a sealed interface, with a record for those of later versions."""

import re

from records import Enumeration, Nullable, Record, Sum, capitalized, records, wrapped
from schema import Any, List, Map, Primitive, Reference

PRIMITIVES = {"string": "String", "boolean": "boolean", "true": "boolean", "integer": "long", "number": "double", "null": "JsonNode"}
BOXED = {"boolean": "Boolean", "long": "Long", "double": "Double"}
KEYWORDS = {"for"}
HEADER = """// Generated from protocol/openrpc.json by clients/types. Do not edit.

package loginengine;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Map;

/** The types of the protocol. */
public final class Wire {
  /** Ignores members of later versions. Numbers are exact. */
  public static final ObjectMapper JSON = JsonMapper.builder()
      .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
      .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .nodeFactory(JsonNodeFactory.withExactBigDecimals(true))
      .build();

  private Wire() {}

  /** The params of a request. */
  public interface Request<R> {
    String method();

    Class<R> answer();
  }

"""


def write(definitions, methods):
    declared = records(definitions, methods, has_sums=True)
    sums = {option.record: declaration.name for declaration in declared if isinstance(declaration, Sum) for option in declaration.options}
    parts = []
    for declaration in declared:
        text = comment(declaration.description, "  ")
        match declaration:
            case Enumeration(name, values):
                constants = "".join(f'    @JsonProperty("{value}") {constant(value)},\n' for value in values)
                parts.append(f"{text}  public enum {name} {{\n{constants}    /** Of a later version. */\n    @JsonEnumDefaultValue OTHER\n  }}\n")
            case Sum():
                parts.append(text + sum_text(declaration))
            case Record():
                parts.append(text + record(declaration, sums.get(declaration.name)))
    return HEADER + "\n".join(parts) + "}\n"


def comment(description, indent):
    lines = wrapped(description, 140)
    if len(lines) < 2:
        return "".join(f"{indent}/** {line} */\n" for line in lines)
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


def constant(value):
    return re.sub("([A-Z])", r"_\1", value).upper()


def record(declaration, sum_name):
    members, name = declaration.members, declaration.name
    interfaces = [sum_name] if sum_name else [f"Request<{declaration.request[1]}>"] if declaration.request else []
    components = ",\n".join(component(member) for member in members)
    text = "  @JsonInclude(JsonInclude.Include.NON_NULL)\n" + f"  public record {name}({chr(10) + components if members else ''})"
    text += f" implements {', '.join(interfaces)} {{" * bool(interfaces) or " {"
    return text + (request(declaration) if declaration.request else "") + "}\n"


def request(declaration):
    """The methods of a request, and ways to make one from few of its members."""
    name, members, (method, result) = declaration.name, declaration.members, declaration.request
    needed = [member for member in members if member.is_required]
    given = ", ".join(f"{type_of(member)} {identifier(member.name)}" for member in needed)
    values = [identifier(member.name) if member.is_required else "null" for member in members]
    text = f'\n    public String method() {{\n      return "{method}";\n    }}\n\n    public Class<{result}> answer() {{\n      return {result}.class;\n    }}\n'
    if len(needed) < len(members):
        text += f"\n    public static {name} of({given}) {{\n      return new {name}({', '.join(values)});\n    }}\n"
    for member in members:
        if not member.is_required:
            text += f"\n    public {name} with{capitalized(member.name)}({type_of(member)} {identifier(member.name)}) {{\n"
            lines = wrapped(", ".join(identifier(one.name) for one in members), 120)
            text += f"      return new {name}({(chr(10) + ' ' * 10).join(lines)});\n    }}\n"
    return text + "  "


def component(member):
    text = comment(member.description, "      ")
    is_named = f'@JsonProperty("{member.name}") ' if member.name in KEYWORDS else ""
    is_null = "@JsonInclude(JsonInclude.Include.ALWAYS) " if member.is_required and isinstance(member.type, (Nullable, Any)) else ""
    return f"{text}      {is_named}{is_null}{type_of(member)} {identifier(member.name)}"


def identifier(name):
    return name + "_" if name in KEYWORDS else name


def type_of(member):
    text = type_text(member.type)
    return text if member.is_required else BOXED.get(text, text)


def type_text(type):
    match type:
        case Any():
            return "JsonNode"
        case Primitive(name):
            return PRIMITIVES[name]
        case Reference(name):
            return name
        case List(entry):
            return f"List<{boxed(entry)}>"
        case Map(value):
            return f"Map<String, {boxed(value)}>"
        case Nullable(inner):
            return boxed(inner)


def boxed(type):
    return BOXED.get(type_text(type), type_text(type))


def sum_text(declaration):
    name = declaration.name
    member = "    String id();\n\n" if declaration.has_id else ""
    branches = "".join(f"        if ({condition(option)}) return JSON.treeToValue(it, {option.record}.class);\n" for option in declaration.options)
    id = '\n    public String id() {\n      return json.path("id").asText();\n    }\n' if declaration.has_id else ""
    return f"""  public sealed interface {name} {{
{member}    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static {name} of(JsonNode it) {{
      try {{
        var is = it.path("{declaration.mark}").asText();
{branches}      }} catch (JsonProcessingException error) {{
        // Members that this version does not expect.
      }}
      return new Unknown{name}(it);
    }}
  }}

  /** Of a later version. */
  public record Unknown{name}(JsonNode json) implements {name} {{
    @JsonValue
    public JsonNode json() {{
      return json;
    }}
{id}  }}
"""


def condition(option):
    texts = ", ".join(f'"{text}"' for text in option.texts)
    tests = f"is.equals({texts})" if len(option.texts) == 1 else f"List.of({texts}).contains(is)"
    return f'{tests} && it.has("{option.member}")' if option.member else tests
