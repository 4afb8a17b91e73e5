"""Every game in the formats of other programs: a row for each seat, as CSV, JSON and Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from evaluation.extras import needs

Rows = Sequence[dict[str, Any]]


def to_csv(rows: Rows) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def to_json(rows: Rows) -> str:
    """A list with one object on each line."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n"


def to_parquet(rows: Rows) -> bytes:
    arrow = needs("pyarrow", "the export as Parquet")
    parquet = needs("pyarrow.parquet", "the export as Parquet")
    data = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(list(rows)), data)
    return data.getvalue()
