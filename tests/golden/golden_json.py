"""How JSON is written here: what fits into 110 columns is one line, and so is a tensor, {"shape", "values"}; else each
member of an object, and each element of a list of objects or rows, has a line of its own."""
import json


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def pretty(value, indent="", before=0):
    line = compact(value)
    is_tensor = isinstance(value, dict) and value.keys() == {"shape", "values"}
    is_table = isinstance(value, list) and value and isinstance(value[0], (dict, list))
    if len(indent) + before + len(line) <= 110 or is_tensor or not (is_table or isinstance(value, dict)):
        return line
    inner = indent + " "
    if is_table:
        return "[\n" + ",\n".join(inner + pretty(member, inner) for member in value) + f"\n{indent}]"
    members = (f"{inner}{json.dumps(key)}: {pretty(member, inner, len(key) + 4)}" for key, member in value.items())
    return "{\n" + ",\n".join(members) + f"\n{indent}}}"


def write(path, value):
    path.write_text(pretty(value) + "\n", encoding="utf-8")
    print(f"{path}: {path.stat().st_size} bytes")
