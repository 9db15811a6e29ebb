"""Writes the definitions as Rust, with serde. An item or a command is an enum of its kinds, with `Unknown` for those of later versions."""

import re

from records import Enumeration, Nullable, Record, Sum, capitalized, records, wrapped
from schema import Any, List, Map, Primitive, Reference

PRIMITIVES = {"string": "String", "boolean": "bool", "true": "bool", "integer": "i64", "number": "f64", "null": "Value"}
KEYWORDS = {"type", "for"}
#: A name that every Rust program needs.
RENAMED = {"Option": "SelectionOption"}
HEADER = """//! Generated from protocol/openrpc.json by clients/types. Do not edit.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{from_value, Value};
use std::collections::BTreeMap;

/// The params of a request.
pub trait Request: Serialize {
    const METHOD: &'static str;
    type Answer: DeserializeOwned;
}

/// Declares names, with `Other` for those of later versions.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
        #[serde(from = "String", into = "String")]
        pub enum $name {
            $($variant,)*
            Other(String),
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                match text.as_str() {
                    $($text => Self::$variant,)*
                    _ => Self::Other(text),
                }
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                match name {
                    $($name::$variant => $text.to_string(),)*
                    $name::Other(text) => text,
                }
            }
        }
    };
}
"""


def write(definitions, methods):
    parts = [HEADER]
    for declaration in records(definitions, methods, has_sums=True):
        text = comment(declaration.description, "")
        match declaration:
            case Enumeration(name, values):
                rows = "".join(f'    {capitalized(value)} = "{value}",\n' for value in values)
                inner = "".join(f"    {line}\n" for line in text.splitlines())
                parts.append(f"names! {{\n{inner}    {name} {{\n" + "".join(f"    {line}\n" for line in rows.splitlines()) + "    }\n}\n")
            case Sum():
                parts.append(text + sum_text(declaration))
            case Record():
                parts.append(text + record(declaration))
    return "\n".join(parts)


def comment(description, indent):
    return "".join(f"{indent}/// {line}\n" for line in wrapped(description, 140))


def record(declaration):
    derived = ["Clone", "Debug"] + ["Default"] * (not any(member.is_required for member in declaration.members)) + ["Deserialize", "PartialEq", "Serialize"]
    name = RENAMED.get(declaration.name, declaration.name)
    text = f"#[derive({', '.join(derived)})]\n"
    if declaration.members:
        text += '#[serde(rename_all = "camelCase")]\n'
        text += f"pub struct {name} {{\n" + "".join(map(field, declaration.members)) + "}\n"
    else:
        text += f"pub struct {name} {{}}\n"
    if declaration.request:
        method, result = declaration.request
        text += f'\nimpl Request for {name} {{\n    const METHOD: &\'static str = "{method}";\n    type Answer = {result};\n}}\n'
    return text


def field(member):
    text, type = comment(member.description, "    "), type_text(member.type)
    if not member.is_required:
        text += '    #[serde(skip_serializing_if = "Option::is_none")]\n'
        type = type if type.startswith("Option<") else f"Option<{type}>"
    return f"{text}    pub {field_name(member.name)}: {type},\n"


def field_name(name):
    name = re.sub("([A-Z])", lambda it: "_" + it[0].lower(), name)
    return "r#" + name if name in KEYWORDS else name


def type_text(type):
    match type:
        case Any():
            return "Value"
        case Primitive(name):
            return PRIMITIVES[name]
        case Reference(name):
            return RENAMED.get(name, name)
        case List(entry):
            return f"Vec<{type_text(entry)}>"
        case Map(value):
            return f"BTreeMap<String, {type_text(value)}>"
        case Nullable(inner):
            return f"Option<{type_text(inner)}>"


def sum_text(declaration):
    name, options, mark = declaration.name, declaration.options, declaration.mark
    variants = "".join(f"    {option.record}({option.record}),\n" for option in options)
    text = f"""#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum {name} {{
{variants}    /// Of a later version.
    Unknown(Value),
}}

"""
    if declaration.has_id:
        cases = "".join(f"            Self::{option.record}(it) => &it.id,\n" for option in options)
        text += f"""impl {name} {{
    pub fn id(&self) -> &str {{
        match self {{
{cases}            Self::Unknown(it) => it["id"].as_str().unwrap_or(""),
        }}
    }}
}}

"""
    cases = "".join(f"            {condition(option)} => from_value(value.clone()).map(Self::{option.record}),\n" for option in options)
    return text + f"""impl<'de> Deserialize<'de> for {name} {{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {{
        let value = Value::deserialize(deserializer)?;
        let read = match value["{mark}"].as_str().unwrap_or("") {{
{cases}            _ => return Ok(Self::Unknown(value)),
        }};
        Ok(read.unwrap_or(Self::Unknown(value)))
    }}
}}
"""


def condition(option):
    texts = " | ".join(f'"{text}"' for text in option.texts)
    return f'{texts} if value.get("{option.member}").is_some()' if option.member else texts
