"""The functions that a statement may call. What is not named here is refused.

The parser gives some functions a class of their own and leaves others as names; both are listed. `CALLED` is compared
a second time with what was written in the end, so that no translation of the writer calls anything else.

Left out on purpose: what reads settings, files, other databases or the server (`current_setting`, `pg_*`, `version`);
what writes or waits (`nextval`, `lo_*`, `pg_sleep`, advisory locks, `notify`, `dblink`); what makes much of little
(`repeat`, `lpad`, `rpad`, `randomblob`, `zeroblob`, `factorial`, and `generate_series` but for what `series.py` knows
to be few); what runs SQL given as text (`query_to_xml` and its like); and what loads code (`load_extension`).
"""

from collections.abc import Mapping

from sqlglot import exp

from queries.sql.datasource import Dialect

_SHARED: frozenset[type[exp.Expr]] = frozenset({
    # aggregates
    exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max, exp.GroupConcat,
    # text
    exp.Upper, exp.Lower, exp.Length, exp.Trim, exp.Substring, exp.Replace, exp.StrPosition, exp.Unicode, exp.Chr,
    # numbers
    exp.Abs, exp.Ceil, exp.Floor, exp.Round, exp.Sign, exp.Sqrt, exp.Pow, exp.Exp, exp.Ln, exp.Log, exp.Pi, exp.Trunc,
    exp.Rand, exp.Greatest, exp.Least, exp.Degrees, exp.Radians, exp.Sin, exp.Cos, exp.Tan, exp.Atan2,
    # choices
    exp.Coalesce, exp.Nullif, exp.Case, exp.If, exp.Cast, exp.Exists, exp.And, exp.Or,
    # windows
    exp.RowNumber, exp.Rank, exp.DenseRank, exp.PercentRank, exp.CumeDist, exp.Ntile, exp.Lag, exp.Lead,
    exp.FirstValue, exp.LastValue, exp.NthValue,
    # dates
    exp.CurrentDate, exp.CurrentTimestamp, exp.Date,
    # JSON
    exp.JSONExtract, exp.JSONExtractScalar, exp.JSONArrayAgg, exp.JSONObjectAgg,
    # text by a pattern of its own; constructs.py bounds how wide
    exp.Format,
})  # fmt: skip

CLASSES: Mapping[Dialect, frozenset[type[exp.Expr]]] = {
    "postgres": _SHARED | {
        exp.Stddev, exp.StddevPop, exp.StddevSamp, exp.Variance, exp.VariancePop, exp.Corr, exp.CovarPop, exp.CovarSamp,
        exp.RegrSlope, exp.RegrIntercept, exp.RegrR2, exp.RegrCount, exp.PercentileCont, exp.PercentileDisc, exp.Mode,
        exp.LogicalAnd, exp.LogicalOr, exp.Grouping, exp.AnyValue,
        exp.Concat, exp.ConcatWs, exp.Left, exp.Right, exp.Initcap, exp.SplitPart, exp.Reverse, exp.Ascii, exp.Overlay,
        exp.Translate, exp.StartsWith, exp.RegexpLike, exp.RegexpILike, exp.RegexpReplace,
        exp.Cbrt, exp.WidthBucket, exp.IntDiv,
        exp.TimestampTrunc, exp.Extract, exp.Localtimestamp, exp.UnixToTime, exp.MakeInterval, exp.JustifyDays,
        exp.Array, exp.ArrayAgg, exp.ArraySize, exp.ArrayToString, exp.BitwiseAndAgg, exp.BitwiseOrAgg, exp.MD5,
        exp.TimestampFromParts, exp.DateBin, exp.RegexpCount, exp.JSONBObjectAgg, exp.JSONBExtract,
        exp.JSONBExtractScalar,
    },
    "sqlite": _SHARED | {exp.Typeof, exp.CurrentTime, exp.JSONType, exp.JSONObject, exp.Hex, exp.Collate},
}  # fmt: skip

_CALLED_EVERYWHERE = """
    count sum avg min max upper lower length trim ltrim rtrim substr substring replace abs ceil floor round sign sqrt
    power exp ln log pi trunc random coalesce nullif cast row_number rank dense_rank percent_rank cume_dist ntile lag
    lead first_value last_value nth_value date degrees radians sin cos tan atan2
"""

#: Names of functions, as they are called in what runs.
CALLED: Mapping[Dialect, frozenset[str]] = {
    "postgres": frozenset(f"""{_CALLED_EVERYWHERE}
        string_agg every bool_and bool_or stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop
        covar_samp regr_slope regr_intercept regr_r2 regr_count percentile_cont percentile_disc mode grouping any_value
        char_length character_length octet_length position strpos concat concat_ws left right initcap split_part
        reverse ascii chr overlay translate starts_with regexp_replace cbrt width_bucket div greatest least mod
        row all date_bin date_trunc date_part extract age to_char to_date to_timestamp to_number make_date make_interval
        justify_days justify_hours justify_interval isfinite timezone now
        json_extract_path json_extract_path_text jsonb_extract_path jsonb_extract_path_text
        json_array_length jsonb_array_length json_typeof jsonb_typeof json_agg jsonb_agg json_object_agg
        jsonb_object_agg json_build_object jsonb_build_object json_build_array jsonb_build_array to_json to_jsonb
        array_agg array_length array_to_string cardinality bit_and bit_or md5 make_timestamp gcd lcm num_nulls
        num_nonnulls scale regexp_count format generate_series
    """.split()),
    "sqlite": frozenset(f"""{_CALLED_EVERYWHERE}
        total group_concat instr unicode char typeof ifnull iif time datetime julianday unixepoch strftime log10 log2
        json_extract json_array_length json_type json_valid json_object json_array json_group_array json_group_object
        json_quote quote hex printf format
    """.split()),
}  # fmt: skip

#: Functions that stand behind FROM alone, with the columns that they give; none where it is called like the table.
TAKING_APART: Mapping[Dialect, Mapping[str, tuple[str, ...]]] = {
    "postgres": {
        "unnest": (), "json_object_keys": (), "jsonb_object_keys": (),
        **dict.fromkeys(("json_each", "json_each_text", "jsonb_each", "jsonb_each_text"), ("key", "value")),
        **dict.fromkeys(
            (
                "json_array_elements", "json_array_elements_text", "jsonb_array_elements", "jsonb_array_elements_text",
            ),
            ("value",),
        ),
    },
    "sqlite": {"json_each": ("key", "value", "type", "atom", "id", "parent", "fullkey", "path")},
}  # fmt: skip

#: Words other than functions that parentheses follow in what the writer writes.
_WORDS = """
    in and or not as from join on using select where having by over filter group values exists any all when then else
    like ilike between union except intersect distinct lateral cube rollup sets offset is overlaps materialized array
    escape case end to with similar
    decimal numeric varchar char text
"""
WORDS = frozenset(_WORDS.split())


def allowed(node: exp.Expr, dialect: Dialect) -> bool:
    """Tell whether a statement may call this function."""
    if isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
        return isinstance(node.this, str) and node.this.lower() in CALLED[dialect] - {"generate_series"}
    return type(node) in CLASSES[dialect]


def takes_apart(node: exp.Expr, dialect: Dialect) -> bool:
    """Tell whether a call behind FROM makes rows of what stands in one cell: as few as the cell holds."""
    if isinstance(node, exp.Unnest):
        named, called = "unnest", "unnest" in TAKING_APART[dialect]
    else:
        named = str(node.this).lower()
        called = isinstance(node, exp.Anonymous) and named in TAKING_APART[dialect]
    paths = node.expressions[1:]
    plain = all(isinstance(each, exp.Literal) and each.is_string for each in paths) and len(paths) <= 1
    if not called or not node.expressions or not _is_cell(node.expressions[0]):
        return False
    return plain if dialect == "sqlite" else not paths


def _is_cell(node: exp.Expr) -> bool:
    if isinstance(node, (exp.Paren, exp.Cast, exp.JSONExtract, exp.JSONBExtract)):
        return _is_cell(node.this)
    if isinstance(node, exp.Array):
        return all(isinstance(each, exp.Literal) for each in node.expressions)
    return isinstance(node, exp.Column) and not isinstance(node.this, exp.Star)


def name_of(node: exp.Expr) -> str:
    """Return the name under which a function is known to who wrote the statement."""
    if isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
        return str(node.this).strip('"').lower()
    if isinstance(node, exp.ExplodingGenerateSeries):
        return "generate_series"
    if isinstance(node, exp.Explode):
        return "unnest"
    return node.sql_name().lower() if isinstance(node, exp.Func) else node.key
