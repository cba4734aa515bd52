"""The databases that can be asked, each read-only by several locks. The port is `queries.sql.datasource`."""
