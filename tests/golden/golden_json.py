"""How the scripts of this folder write JSON: a line for each member of an object, list of objects or table. A tensor, an
object that holds nothing but lists of numbers, is one line."""
import json


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def pretty(value, indent=""):
    inner = indent + " "
    if isinstance(value, dict) and value.keys() == {"shape", "values"}:
        return compact(value)
    if isinstance(value, dict) and value:
        members = (f"{inner}{json.dumps(key)}: {pretty(member, inner)}" for key, member in value.items())
        return "{\n" + ",\n".join(members) + f"\n{indent}}}"
    if isinstance(value, list) and value and isinstance(value[0], (dict, list)):
        return "[\n" + ",\n".join(inner + pretty(member, inner) for member in value) + f"\n{indent}]"
    return compact(value)


def write(path, value):
    path.write_text(pretty(value) + "\n")
    print(f"{path}: {path.stat().st_size} bytes")
