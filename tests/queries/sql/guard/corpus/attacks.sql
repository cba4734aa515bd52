stacked both SELECT 1; DROP TABLE orders
stacked both SELECT 1; DELETE FROM orders;
stacked both ;DELETE FROM orders
stacked both SELECT 1;;UPDATE orders SET status = 'paid'
stacked both COMMIT; DELETE FROM orders; SELECT 1
stacked both ROLLBACK; DROP TABLE people; SELECT 1
stacked both END; INSERT INTO orders (id) VALUES (99999); SELECT 1
stacked both SELECT 1 /* ; */; DELETE FROM lines
stacked both SELECT 1 --<LF>; DELETE FROM lines
stacked both SELECT ';'; DELETE FROM lines; --'
stacked both SELECT 1;<LF><LF>SELECT * FROM vault
stacked both SELECT 1 UNION SELECT 2; SELECT name FROM payroll
stacked postgres SELECT $$;$$; DELETE FROM lines
stacked postgres SELECT 'a\'; DELETE FROM lines; --'
stacked postgres SELECT E'a\'; DELETE FROM lines; --'
stacked postgres COMMIT AND CHAIN; DELETE FROM orders
stacked postgres BEGIN; SET TRANSACTION READ WRITE; DELETE FROM orders; COMMIT
stacked sqlite SELECT "a;b"; DROP TABLE orders
stacked sqlite SELECT `a`; ATTACH 'x.db' AS x
transaction both BEGIN
transaction both COMMIT
transaction both ROLLBACK
transaction both SAVEPOINT x
transaction both RELEASE x
transaction postgres START TRANSACTION READ WRITE
transaction postgres SET TRANSACTION READ WRITE
transaction postgres SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE
transaction postgres ABORT
transaction postgres PREPARE TRANSACTION 'x'
transaction sqlite BEGIN EXCLUSIVE
transaction sqlite BEGIN IMMEDIATE
write both DELETE FROM orders
write both DELETE FROM orders WHERE 1 = 1
write both UPDATE orders SET status = 'paid'
write both UPDATE people SET salary = 1 WHERE id = 1
write both INSERT INTO orders (id, region) VALUES (100000, 'north')
write both INSERT INTO orders SELECT * FROM orders
write both DROP TABLE orders
write both DROP TABLE IF EXISTS orders
write both DROP VIEW orders
write both ALTER TABLE orders ADD COLUMN x TEXT
write both ALTER TABLE orders RENAME TO others
write both CREATE TABLE harm (a INTEGER)
write both CREATE TABLE harm AS SELECT * FROM orders
write both CREATE TEMP TABLE harm AS SELECT * FROM orders
write both CREATE VIEW harm AS SELECT * FROM vault
write both CREATE INDEX harm ON orders (id)
write both <LF><LF>  delete from orders
write both /* SELECT */ DELETE FROM orders
write both -- SELECT 1<LF>DELETE FROM orders
write both (DELETE FROM orders)
write both EXPLAIN DELETE FROM orders
write postgres TRUNCATE orders
write postgres TRUNCATE TABLE orders, lines CASCADE
write postgres DELETE FROM orders USING people WHERE people.id = orders.person_id
write postgres DELETE FROM ONLY orders RETURNING *
write postgres UPDATE orders SET status = 'x' FROM people RETURNING orders.*
write postgres INSERT INTO orders (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET status = 'x'
write postgres MERGE INTO orders o USING people p ON o.person_id = p.id WHEN MATCHED THEN DELETE
write postgres CREATE ROLE harm SUPERUSER
write postgres ALTER ROLE postgres PASSWORD 'x'
write postgres GRANT ALL ON orders TO PUBLIC
write postgres REVOKE ALL ON orders FROM PUBLIC
write postgres CREATE FUNCTION harm() RETURNS int LANGUAGE sql AS 'DELETE FROM orders; SELECT 1'
write postgres CREATE EXTENSION dblink
write postgres CREATE SCHEMA harm
write postgres DROP SCHEMA public CASCADE
write postgres COMMENT ON TABLE orders IS 'harm'
write postgres REFRESH MATERIALIZED VIEW orders
write postgres CREATE TRIGGER harm AFTER INSERT ON orders EXECUTE FUNCTION harm()
write postgres REINDEX TABLE orders
write postgres CLUSTER orders
write postgres VACUUM FULL orders
write postgres ANALYZE orders
write sqlite REPLACE INTO orders (id) VALUES (1)
write sqlite INSERT OR REPLACE INTO orders (id) VALUES (1)
write sqlite UPDATE OR IGNORE orders SET status = 'x'
write sqlite CREATE TRIGGER harm AFTER INSERT ON orders BEGIN DELETE FROM orders; END
write sqlite CREATE VIRTUAL TABLE harm USING fts5(a)
write sqlite REINDEX
write sqlite REINDEX orders
write sqlite ANALYZE
write sqlite VACUUM
write sqlite VACUUM INTO 'harm.db'
write sqlite ATTACH DATABASE 'harm.db' AS harm
write sqlite ATTACH ':memory:' AS harm
write sqlite DETACH DATABASE main
hidden_write both WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x
hidden_write both WITH x AS (SELECT 1) DELETE FROM orders
hidden_write both WITH x AS (SELECT 1) UPDATE orders SET status = 'x'
hidden_write both WITH x AS (SELECT 1) INSERT INTO orders (id) SELECT 1
hidden_write both WITH x AS (UPDATE orders SET status = 'x' RETURNING id) SELECT COUNT(*) FROM x
hidden_write both SELECT * FROM (DELETE FROM orders RETURNING *) x
hidden_write both SELECT (DELETE FROM orders RETURNING id)
hidden_write both WITH a AS (WITH b AS (DELETE FROM lines RETURNING *) SELECT * FROM b) SELECT * FROM a
hidden_write postgres SELECT * INTO harm FROM orders
hidden_write postgres SELECT id INTO TEMP harm FROM orders
hidden_write postgres SELECT id INTO UNLOGGED TABLE harm FROM orders
hidden_write postgres SELECT * FROM orders FOR UPDATE
hidden_write postgres SELECT * FROM orders FOR SHARE
hidden_write postgres SELECT * FROM orders FOR NO KEY UPDATE SKIP LOCKED
hidden_write postgres SELECT * FROM (SELECT * FROM orders FOR UPDATE) x
hidden_write postgres LOCK TABLE orders IN ACCESS EXCLUSIVE MODE
hidden_write postgres EXPLAIN ANALYZE DELETE FROM orders
hidden_write postgres EXPLAIN (ANALYZE, BUFFERS) UPDATE orders SET status = 'x'
hidden_write postgres DO $$ BEGIN DELETE FROM orders; END $$
hidden_write postgres CALL harm()
hidden_write postgres PREPARE p AS DELETE FROM orders
hidden_write postgres EXECUTE p
hidden_write postgres DECLARE c CURSOR FOR SELECT 1
hidden_write postgres FETCH ALL FROM c
hidden_write postgres VALUES (1), (2)
hidden_write sqlite EXPLAIN QUERY PLAN SELECT * FROM vault
hidden_write sqlite EXPLAIN SELECT * FROM vault
large_objects postgres SELECT lo_create(0)
large_objects postgres SELECT lo_creat(-1)
large_objects postgres SELECT lo_from_bytea(0, 'x')
large_objects postgres SELECT lo_import('/etc/passwd')
large_objects postgres SELECT lo_export(1, '/tmp/harm')
large_objects postgres SELECT lo_put(1, 0, 'x')
large_objects postgres SELECT lo_unlink(1)
large_objects postgres SELECT pg_catalog.lo_create(0)
large_objects postgres SELECT "lo_create"(0)
large_objects postgres SELECT "pg_catalog"."lo_create"(0)
large_objects postgres SELECT count(*) FROM orders WHERE lo_create(0) > 0
large_objects postgres SELECT id FROM orders ORDER BY lo_create(0)
large_objects postgres SELECT id FROM orders GROUP BY id, lo_create(0)
large_objects postgres SELECT count(*) FILTER (WHERE lo_create(0) > 0) FROM orders
large_objects postgres SELECT sum(1) OVER (ORDER BY lo_create(0)) FROM orders
large_objects postgres SELECT CASE WHEN lo_create(0) > 0 THEN 1 END
large_objects postgres SELECT * FROM lo_create(0)
large_objects postgres SELECT * FROM orders, LATERAL lo_create(0) x
large_objects postgres SELECT * FROM orders JOIN lo_create(0) x ON true
large_objects postgres SELECT * FROM ROWS FROM (lo_create(0)) x
large_objects postgres SELECT id FROM orders LIMIT lo_create(0)
large_objects postgres SELECT id FROM orders OFFSET lo_create(0)
large_objects postgres VALUES (lo_create(0))
large_objects postgres SELECT * FROM (VALUES (lo_create(0))) v
large_objects postgres SELECT ARRAY[lo_create(0)]
large_objects postgres SELECT ARRAY(SELECT lo_create(0))
large_objects postgres SELECT (SELECT lo_create(0))
large_objects postgres SELECT 1 IN (SELECT lo_create(0))
large_objects postgres SELECT EXISTS (SELECT lo_create(0))
large_objects postgres SELECT coalesce(NULL, lo_create(0))
large_objects postgres WITH x AS MATERIALIZED (SELECT lo_create(0)) SELECT * FROM x
large_objects postgres SELECT row(lo_create(0))
large_objects postgres SELECT u&"lo\005fcreate"(0)
large_objects postgres SELECT 0 OPERATOR(pg_catalog.+) lo_create(0)
sleep postgres SELECT pg_sleep(5)
sleep postgres SELECT PG_SLEEP(5)
sleep postgres SELECT pg_sleep_for('5 seconds')
sleep postgres SELECT pg_sleep_until(now() + interval '5 seconds')
sleep postgres SELECT "pg_sleep"(5)
sleep postgres SELECT U&"\0070g_sleep"(5)
sleep postgres SELECT u&"pg_sl\0065ep" (5)
sleep postgres SELECT U&"!0070g_sleep" UESCAPE '!'(5)
sleep postgres SELECT pg_catalog . pg_sleep ( 5 )
sleep postgres SELECT pg_sleep/**/(5)
sleep postgres SELECT/**/pg_sleep(5)
sleep postgres SELECT pg_sleep<LF>(5)
sleep postgres SELECT * FROM pg_sleep(5)
sleep postgres SELECT id FROM orders WHERE id = 1 OR pg_sleep(5) IS NULL
sleep postgres SELECT CASE WHEN (SELECT salary FROM people LIMIT 1) > 1 THEN pg_sleep(5) END
locks postgres SELECT pg_advisory_lock(42)
locks postgres SELECT pg_try_advisory_lock(42)
locks postgres SELECT pg_advisory_xact_lock(42)
locks postgres SELECT pg_advisory_lock_shared(42)
locks postgres SELECT pg_advisory_unlock_all()
locks postgres SELECT pg_try_advisory_lock(id) FROM orders
notify postgres SELECT pg_notify('canary', 'x')
notify postgres NOTIFY canary, 'x'
notify postgres LISTEN canary
notify postgres UNLISTEN *
settings postgres SELECT set_config('statement_timeout', '0', false)
settings postgres SELECT set_config('row_security', 'off', true)
settings postgres WITH x AS MATERIALIZED (SELECT set_config('app.org', '2', true) s) SELECT o.* FROM x, orders o WHERE x.s = '2'
settings postgres SELECT o.* FROM orders o, LATERAL (SELECT set_config('app.org', o.region, true)) x
settings postgres SELECT current_setting('data_directory')
settings postgres SELECT current_setting('is_superuser')
settings postgres SET statement_timeout = 0
settings postgres SET LOCAL statement_timeout = 0
settings postgres SET ROLE postgres
settings postgres SET SESSION AUTHORIZATION postgres
settings postgres RESET ALL
settings postgres DISCARD ALL
settings postgres SHOW ALL
settings postgres SHOW data_directory
settings postgres ALTER SYSTEM SET fsync = off
settings postgres SELECT pg_reload_conf()
settings postgres SELECT setval('numbers', 1000)
settings postgres SELECT nextval('numbers')
settings postgres SELECT currval('numbers')
settings postgres SELECT lastval()
settings postgres SELECT setseed(0.5)
settings sqlite PRAGMA writable_schema = 1
settings sqlite PRAGMA journal_mode = DELETE
settings sqlite PRAGMA user_version = 42
settings sqlite PRAGMA table_info(vault)
settings sqlite PRAGMA database_list
settings sqlite PRAGMA query_only = 0
settings sqlite pragma/**/user_version=42
server postgres SELECT version()
server postgres SELECT current_user
server postgres SELECT session_user, user, current_role
server postgres SELECT current_database(), current_schema()
server postgres SELECT current_catalog
server postgres SELECT inet_server_addr(), inet_server_port()
server postgres SELECT pg_backend_pid()
server postgres SELECT pg_postmaster_start_time()
server postgres SELECT pg_terminate_backend(pid) FROM pg_stat_activity
server postgres SELECT pg_cancel_backend(1)
server postgres SELECT pg_switch_wal()
server postgres SELECT pg_logical_emit_message(true, 'x', 'y')
server postgres SELECT pg_create_restore_point('x')
server postgres SELECT pg_stat_reset()
server postgres SELECT txid_current()
server postgres SELECT pg_current_xact_id()
server postgres SELECT pg_export_snapshot()
server postgres SELECT pg_database_size('postgres')
server postgres SELECT pg_relation_size('vault')
server postgres SELECT has_table_privilege('vault', 'select')
server postgres SELECT pg_get_viewdef('orders')
server postgres SELECT pg_typeof(o) FROM orders o
server sqlite SELECT sqlite_version()
server sqlite SELECT sqlite_source_id()
server sqlite SELECT sqlite_compileoption_get(1)
server sqlite SELECT last_insert_rowid(), changes(), total_changes()
files postgres COPY orders TO '/tmp/dutydesk-canary'
files postgres COPY (SELECT * FROM vault) TO '/tmp/dutydesk-canary'
files postgres COPY vault TO STDOUT
files postgres COPY orders FROM '/etc/passwd'
files postgres COPY orders TO PROGRAM 'touch /tmp/dutydesk-canary'
files postgres COPY orders FROM PROGRAM 'touch /tmp/dutydesk-canary'
files postgres SELECT pg_read_file('/etc/passwd')
files postgres SELECT pg_read_binary_file('/etc/passwd')
files postgres SELECT pg_ls_dir('/')
files postgres SELECT * FROM pg_ls_dir('.')
files postgres SELECT * FROM pg_stat_file('postgresql.conf')
files postgres SELECT pg_file_write('/tmp/dutydesk-canary', 'x', false)
files postgres LOAD '/tmp/harm.so'
files postgres \copy orders to '/tmp/dutydesk-canary'
files postgres \! touch /tmp/dutydesk-canary
files sqlite SELECT writefile('dutydesk-canary', 'x')
files sqlite SELECT readfile('/etc/passwd')
files sqlite SELECT load_extension('harm')
files sqlite SELECT edit('x')
files sqlite SELECT fts3_tokenizer('simple')
files sqlite .shell touch dutydesk-canary
files sqlite SELECT * FROM fsdir('.')
files sqlite SELECT * FROM zipfile('x')
files sqlite SELECT * FROM csv('x')
dynamic postgres SELECT query_to_xml('DELETE FROM orders', true, true, '')
dynamic postgres SELECT query_to_xml('SELECT * FROM vault', true, true, '')
dynamic postgres SELECT table_to_xml('vault', true, true, '')
dynamic postgres SELECT database_to_xml(true, true, '')
dynamic postgres SELECT schema_to_xml('public', true, true, '')
dynamic postgres SELECT cursor_to_xml('c', 1, true, true, '')
dynamic postgres SELECT dblink('dbname=postgres', 'DELETE FROM orders')
dynamic postgres SELECT * FROM dblink('dbname=postgres', 'SELECT 1') AS t(a int)
dynamic postgres SELECT dblink_exec('dbname=postgres', 'DELETE FROM orders')
dynamic postgres SELECT dblink_connect('dbname=postgres')
dynamic postgres SELECT ts_stat('SELECT word FROM vault')
dynamic postgres SELECT * FROM ts_stat('SELECT to_tsvector(word) FROM vault')
dynamic postgres SELECT ts_rewrite('a'::tsquery, 'SELECT word::tsquery, word::tsquery FROM vault')
dynamic postgres SELECT * FROM crosstab('SELECT 1, 2, 3 FROM vault') AS t(a int, b int)
dynamic postgres SELECT xmlparse(document '<a/>')
dynamic postgres SELECT xpath('/a', '<a/>')
dynamic postgres SELECT plpy_execute('DELETE FROM orders')
dynamic postgres SELECT erase_orders()
dynamic postgres SELECT public.erase_orders()
dynamic postgres SELECT o.erase_orders FROM orders o
dynamic postgres SELECT (o).erase_order FROM orders o
dynamic postgres SELECT o.erase_order FROM orders o
dynamic postgres SELECT x.erase_order FROM (SELECT * FROM orders) x
catalogs postgres SELECT * FROM pg_shadow
catalogs postgres SELECT rolname FROM pg_roles
catalogs postgres SELECT rolname, rolpassword FROM pg_authid
catalogs postgres SELECT * FROM pg_catalog.pg_tables
catalogs postgres SELECT * FROM information_schema.tables
catalogs postgres SELECT column_name FROM information_schema.columns
catalogs postgres SELECT * FROM pg_stat_activity
catalogs postgres SELECT * FROM pg_settings
catalogs postgres SELECT * FROM pg_largeobject
catalogs postgres SELECT most_common_vals FROM pg_stats WHERE tablename = 'people'
catalogs postgres SELECT * FROM pg_statistic
catalogs postgres SELECT pg_class.relname FROM pg_class
catalogs postgres SELECT * FROM "pg_class"
catalogs postgres SELECT * FROM U&"pg\005fshadow"
catalogs postgres TABLE pg_shadow
catalogs postgres SELECT 1 FROM ONLY pg_shadow
catalogs postgres SELECT * FROM pg_temp.orders
catalogs postgres SELECT 'vault'::regclass::oid
catalogs postgres SELECT 'postgres'::regrole
catalogs postgres SELECT CAST('lo_create' AS regproc)
catalogs postgres SELECT 16384::regclass
catalogs sqlite SELECT * FROM sqlite_master
catalogs sqlite SELECT sql FROM sqlite_schema
catalogs sqlite SELECT * FROM main.sqlite_master
catalogs sqlite SELECT * FROM "sqlite_master"
catalogs sqlite SELECT * FROM [sqlite_master]
catalogs sqlite SELECT * FROM `sqlite_master`
catalogs sqlite SELECT * FROM sqlite_temp_master
catalogs sqlite SELECT * FROM temp.sqlite_master
catalogs sqlite SELECT * FROM sqlite_sequence
catalogs sqlite SELECT * FROM sqlite_stat1
catalogs sqlite SELECT * FROM pragma_database_list
catalogs sqlite SELECT * FROM pragma_table_info('vault')
catalogs sqlite SELECT * FROM pragma_user_version
catalogs sqlite SELECT * FROM dbstat
catalogs sqlite SELECT * FROM sqlite_dbpage
catalogs sqlite SELECT * FROM json_each('[1,2]')
catalogs sqlite SELECT * FROM json_tree('{}')
catalogs sqlite SELECT * FROM generate_series(1, 1000000000)
tables both SELECT * FROM vault
tables both SELECT word FROM vault
tables both SELECT * FROM payroll
tables both SELECT COUNT(*) FROM payroll
tables both SELECT vault.* FROM orders, vault
tables both SELECT * FROM orders JOIN vault ON 1 = 1
tables both SELECT * FROM orders LEFT JOIN payroll ON 1 = 1
tables both SELECT (SELECT word FROM vault LIMIT 1) FROM orders
tables both SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM vault WHERE word LIKE 'v%')
tables both SELECT id FROM orders WHERE id IN (SELECT id FROM vault)
tables both SELECT id FROM orders UNION SELECT id FROM vault
tables both SELECT id FROM orders ORDER BY (SELECT word FROM vault LIMIT 1)
tables both SELECT id FROM orders GROUP BY id HAVING COUNT(*) < (SELECT COUNT(*) FROM vault)
tables both WITH vault AS (SELECT * FROM vault) SELECT * FROM vault
tables both WITH orders AS (SELECT * FROM vault) SELECT * FROM orders
tables both WITH x AS (SELECT 1 AS id), y AS (SELECT * FROM vault) SELECT * FROM x
tables both WITH vault AS (SELECT 1 AS id) SELECT * FROM vault UNION ALL SELECT id FROM (SELECT id FROM payroll) p
tables both SELECT * FROM (WITH vault AS (SELECT 1 AS a) SELECT * FROM vault) x, vault
tables both WITH RECURSIVE x AS (SELECT * FROM vault UNION ALL SELECT * FROM x) SELECT * FROM x
tables both SELECT * FROM (vault)
tables both SELECT * FROM (orders CROSS JOIN vault)
tables both SELECT * FROM "vault"
tables both SELECT * FROM VAULT
tables both SELECT * FROM orders AS vault, vault AS orders
tables both SELECT * FROM other.orders
tables both SELECT * FROM a.b.c.orders
tables postgres SELECT * FROM public.vault
tables postgres SELECT * FROM "public"."vault"
tables postgres SELECT * FROM postgres.public.vault
tables postgres TABLE vault
tables postgres SELECT 1 UNION TABLE vault
tables postgres SELECT * FROM ONLY (vault)
tables postgres SELECT * FROM vault TABLESAMPLE SYSTEM (100)
tables postgres SELECT * FROM orders, LATERAL (SELECT * FROM vault) x
tables postgres SELECT ARRAY(SELECT word FROM vault)
tables sqlite SELECT * FROM main.vault
tables sqlite SELECT * FROM [vault]
tables sqlite SELECT * FROM `vault`
tables sqlite SELECT * FROM 'vault'
tables sqlite SELECT * FROM vault NOT INDEXED
tables sqlite SELECT * FROM vault INDEXED BY x
tables sqlite SELECT 1 IN vault
tables sqlite SELECT 'x' IN (vault)
tables sqlite SELECT id FROM orders WHERE customer IN payroll
tables sqlite SELECT 1 FROM orders WHERE 1 IN main.vault
columns both SELECT password FROM people
columns both SELECT people.password FROM people
columns both SELECT p.password FROM people p
columns both SELECT id FROM people WHERE password LIKE 'h%'
columns both SELECT id FROM people ORDER BY password
columns both SELECT COUNT(*) FROM people GROUP BY password
columns both SELECT x.password FROM (SELECT * FROM people) x
columns both SELECT a.id FROM people a JOIN people b ON a.password = b.password
columns both SELECT id FROM people JOIN (SELECT password FROM people) x USING (password)
columns both SELECT (SELECT password FROM people LIMIT 1)
columns both SELECT MAX(password) FROM people
columns both SELECT main.people.password FROM people
columns postgres SELECT people FROM people
columns postgres SELECT p FROM people p
columns postgres SELECT to_jsonb(p) FROM people p
columns postgres SELECT row_to_json(p) FROM people p
columns postgres SELECT row_to_json(p.*) FROM people p
columns postgres SELECT json_agg(p) FROM people p
columns postgres SELECT p::text FROM people p
columns postgres SELECT (p).password FROM people p
columns postgres SELECT (p.*)::text FROM people p
columns postgres SELECT p.to_json FROM people p
columns postgres SELECT p.row_to_json FROM people p
columns postgres SELECT (p).row_to_json FROM people p
columns postgres SELECT concat(p) FROM people p
columns postgres SELECT (ROW(p.*)).f4 FROM people p
columns postgres SELECT ctid, xmin, tableoid FROM orders
columns postgres SELECT max(p) FROM people p
columns postgres SELECT people.*::text FROM people
columns postgres SELECT count(p.password) FROM people AS p(a, b, c, d, e, f, g, password)
columns postgres SELECT g FROM people AS p(a, b, c, d, e, f, g, h)
columns sqlite SELECT rowid, * FROM people
columns sqlite SELECT oid, _rowid_ FROM orders
columns sqlite SELECT "password" FROM people
columns sqlite SELECT [password] FROM people
columns sqlite SELECT people."password" FROM people
masked both SELECT salary FROM people
masked both SELECT name FROM people WHERE salary > 7700000
masked both SELECT name FROM people WHERE salary IS NOT NULL
masked both SELECT name FROM people ORDER BY salary DESC LIMIT 1
masked both SELECT COUNT(*) FROM people GROUP BY salary
masked both SELECT MAX(salary), MIN(salary), SUM(salary), AVG(salary) FROM people
masked both SELECT a.name FROM people a JOIN people b ON a.salary = b.salary
masked both SELECT name FROM people WHERE 1 / (salary - 7700003) > 0
masked both SELECT CAST(note AS INTEGER) FROM orders
masked both SELECT id FROM orders WHERE note LIKE 'hush%'
masked both SELECT salary + 0, -salary, salary || '' FROM people
masked both SELECT p.salary FROM (SELECT * FROM people) p
masked both WITH people AS (SELECT * FROM people) SELECT salary FROM people
masked both SELECT * FROM people
masked both SELECT p.* FROM people p, people q WHERE p.salary = q.salary
masked both SELECT id FROM people NATURAL JOIN (SELECT salary FROM people) x
masked both SELECT DISTINCT salary FROM people
masked both SELECT RANK() OVER (ORDER BY salary), name FROM people
masked both SELECT LAG(salary) OVER (ORDER BY id) FROM people
masked both SELECT CASE WHEN salary > 7700010 THEN 1 ELSE 1 / 0 END FROM people
masked both SELECT name FROM people UNION SELECT note FROM orders
masked both SELECT COALESCE(salary, 1) FROM people
masked postgres SELECT string_agg(note, ',') FROM orders
masked postgres SELECT (x.s).salary FROM (SELECT p AS s FROM people p) x
masked postgres SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY salary) FROM people
masked postgres SELECT id FROM orders WHERE note::int = 1
masked sqlite SELECT GROUP_CONCAT(note) FROM orders
masked sqlite SELECT abs(-9223372036854775807 - (salary = 7700003)) FROM people
masked sqlite SELECT json_extract(note, '$') FROM orders
rows both SELECT * FROM orders WHERE region = 'south'
rows both SELECT * FROM orders WHERE 1 = 1 OR region = 'south'
rows both SELECT * FROM orders WHERE TRUE) OR (TRUE
rows both SELECT customer FROM orders WHERE NOT region IN ('north', 'west')
rows both SELECT customer FROM orders o WHERE o.id > 0 UNION ALL SELECT customer FROM orders
rows both SELECT customer FROM orders LEFT JOIN people ON 1 = 1
rows both SELECT o.customer FROM people p LEFT JOIN orders o ON o.person_id = p.id
rows both SELECT (SELECT MAX(customer) FROM orders) FROM departments
rows both SELECT MAX(customer), MIN(customer) FROM orders
rows both WITH orders AS (SELECT * FROM orders WHERE region = 'south') SELECT customer FROM orders
rows both WITH o AS (SELECT * FROM orders), orders AS (SELECT * FROM o) SELECT customer FROM orders
rows both WITH with_1 AS (SELECT * FROM orders), with_2 AS (SELECT * FROM with_1) SELECT customer FROM with_2
rows both SELECT orders.customer FROM departments AS orders, orders
rows both SELECT q.customer FROM orders AS q
rows both SELECT 1 FROM orders WHERE 1 / (id - 7) > 0
rows both SELECT 1 FROM orders WHERE CAST(customer AS INTEGER) > 0
rows both SELECT 1 FROM orders WHERE LENGTH(customer) / (CASE WHEN region = 'south' THEN 0 ELSE 1 END) > 0
rows both SELECT * FROM orders LIMIT 100000
rows both SELECT * FROM orders LIMIT -1
rows both SELECT customer FROM (orders JOIN lines ON orders.id = lines.order_id)
rows postgres SELECT customer FROM orders WHERE CAST(customer AS INT) = 1
rows postgres SELECT customer FROM orders WHERE customer LIKE 'Hidden%\'
rows postgres SELECT customer FROM orders LIMIT ALL
rows postgres SELECT customer FROM orders FETCH FIRST 100000 ROWS ONLY
rows postgres SELECT customer FROM orders FETCH FIRST 1 ROW WITH TIES
rows postgres SELECT a.c FROM orders AS a(x, y, c)
rows postgres SELECT id FROM orders WHERE id = (SELECT o.id FROM lines l, orders o WHERE o.region = orders.region)
rows postgres SELECT kind FROM events WHERE kind = 'audit'
rows sqlite SELECT customer FROM orders WHERE abs(-9223372036854775807 - (region = 'south')) > 0
rows sqlite SELECT customer FROM orders WHERE json_extract(customer, '$') IS NOT NULL
rows sqlite SELECT customer FROM orders WHERE region = "south"
rows sqlite SELECT kind FROM events WHERE kind = "audit"
characters both SELECT<U+00A0>1
characters both SELECT<U+3000>*<U+3000>FROM<U+3000>vault
characters both SELECT 1<U+0000>; DROP TABLE orders
characters both SELECT 'a<U+0000>b'
characters both SELECT<U+000B>*<U+000C>FROM vault
characters both SELECT * FROM va<U+200B>ult
characters both SELECT * FROM vault<U+FEFF>
characters both <U+FEFF>SELECT * FROM vault
characters both SELECT 1 <U+2028>; DELETE FROM orders
characters both SELECT 1 -- x<U+2028>DELETE FROM orders
characters both SELECT 1 -- x<U+000D>; DELETE FROM orders
characters both SELECT 1 /* <U+202E> */ FROM vault
characters both SELECT * FROM ｖault
characters both SELECT * FROM ｖａｕｌｔ
characters both SELECT * FROM "vault<U+0000>x"
characters both SELECT 1 <U+001F>FROM vault
characters both SELECT * FROM <U+212A>eys
characters both SELECT ‘x’ FROM vault
characters postgres SELECT pg_sleep<U+00A0>(5)
characters postgres SELECT pg<U+FF3F>sleep(5)
comments both SELECT 1 /* /* nested */ ; DELETE FROM orders */
comments both SELECT 1 /*! ; DELETE FROM orders */
comments both SELECT /*+ hint */ * FROM vault
comments both SELECT 1 -- <LF>FROM vault
comments both SELECT 1 # comment<LF>FROM vault
comments both SELECT * FROM orders WHERE id = 1 --' AND region = 'north'
comments both SELECT 1 /* unfinished
comments both DEL/**/ETE FROM orders
comments both SELECT 1;--
comments postgres SELECT 1 /* a /* b */ c */ ; DROP TABLE orders
quoting both SELECT 'it''s'; DROP TABLE orders --'
quoting both SELECT 'a' 'b'
quoting both SELECT "a""; DROP TABLE orders; --" FROM orders
quoting both SELECT 1 AS "x"";DROP TABLE orders;--"
quoting both SELECT 'unfinished
quoting both SELECT "unfinished
quoting both SELECT id AS "a\"b" FROM orders
quoting postgres SELECT $a$ x $b$ ; DROP TABLE orders $a$
quoting postgres SELECT $a$x$a$; DROP TABLE orders
quoting postgres SELECT E'\x27; DROP TABLE orders; --'
quoting postgres SELECT U&'\0027; DROP TABLE orders; --'
quoting postgres SELECT 'a\', pg_sleep(5), 'b'
quoting postgres SELECT interval '1'' day'', pg_sleep(5), ''1' day
quoting postgres SELECT date_trunc('month'', now()), pg_sleep(5), date_trunc(''day', now())
quoting postgres SELECT payload -> 'a'' || pg_sleep(5) || ''b' FROM events
quoting postgres SELECT payload ->> 'x'') , (SELECT word FROM vault LIMIT 1), (''y' FROM events
quoting postgres SELECT extract('year FROM now()), pg_sleep(5), extract(year' FROM now())
quoting postgres SELECT now() AT TIME ZONE 'UTC'', pg_sleep(5), '''
quoting postgres SELECT B'1', X'1F', N'x'
quoting sqlite SELECT 'a\'; DROP TABLE orders; --'
quoting sqlite SELECT json_extract(payload, '$."a'' || randomblob(100) || ''"') FROM events
quoting sqlite SELECT [a]]; DROP TABLE orders]
quoting sqlite SELECT x'53454c454354'
quoting sqlite SELECT strftime('%Y'', word) FROM vault --', placed) FROM orders
bombs both WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r
bombs both WITH RECURSIVE r AS (SELECT 'x' AS s UNION ALL SELECT s || s FROM r) SELECT s FROM r
bombs both SELECT REPEAT('x', 1000000000)
bombs both SELECT LPAD('x', 1000000000, 'y')
bombs both SELECT FORMAT('%1000000000s', 'x')
bombs both SELECT CAST('x' AS CHAR(100000000))
bombs both SELECT ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
bombs both SELECT 1 LIMIT (SELECT 1 LIMIT (SELECT 1 LIMIT (SELECT 1 LIMIT (SELECT 1 LIMIT (SELECT 1 LIMIT (SELECT 1 LIMIT (SELECT 1 LIMIT (SELECT 1 LIMIT (SELECT 1 LIMIT 1))))))))) 
bombs postgres SELECT array[array[array[array[array[array[array[array[array[array[array[array[array[array[array[array[1]]]]]]]]]]]]]]]]
bombs postgres SELECT generate_series(1, 1000000000)
bombs postgres SELECT COUNT(*) FROM generate_series(1, 10000000000)
bombs postgres SELECT factorial(100000)
bombs postgres SELECT 9 ^ 9 ^ 9
bombs postgres SELECT rpad('x', 500000000, 'y')
bombs postgres SELECT array_fill(1, ARRAY[100000000])
bombs postgres SELECT regexp_split_to_table('a', 'b')
bombs postgres SELECT encode(convert_to(repeat('x', 100000000), 'UTF8'), 'base64')
bombs postgres SELECT to_char(1, '9<LF>') || repeat('x', 100000000)
bombs sqlite SELECT randomblob(1000000000)
bombs sqlite SELECT hex(zeroblob(500000000))
bombs sqlite SELECT printf('%.*c', 500000000, 'x')
bombs sqlite SELECT zeroblob(1e9)
bombs sqlite SELECT replace(hex(zeroblob(10000000)), '00', 'xxxxxxxxxx')
bombs sqlite SELECT quote(zeroblob(100000000))
bombs sqlite SELECT likely(randomblob(1000000000))
bombs sqlite SELECT char(0, 1, 2) || soundex('x')
parameters both SELECT * FROM orders WHERE id = ?
parameters both SELECT * FROM orders WHERE id = :person
parameters both SELECT * FROM orders WHERE region IN (:units)
parameters postgres SELECT * FROM orders WHERE id = $1
parameters postgres SELECT * FROM orders WHERE id = %s
parameters postgres SELECT * FROM orders WHERE id = %(x)s
parameters sqlite SELECT * FROM orders WHERE id = @x
parameters sqlite SELECT * FROM orders WHERE id = $x
parameters sqlite SELECT * FROM orders WHERE id = ?1
not_sql both drop everything please
not_sql both SELECT
not_sql both FROM orders
not_sql both 
not_sql both ;
not_sql both {"sql": "SELECT 1"}
not_sql both SELEC * FROM orders
not_sql both SELECT * FROM orders WHERE
not_sql both ```sql SELECT 1 ```
not_sql both USE vault
not_sql both SHOW TABLES
not_sql both DESCRIBE vault
not_sql both KILL 1
not_sql both EXEC sp_who
not_sql both SELECT @@version
not_sql both SELECT 1 INTO OUTFILE '/tmp/dutydesk-canary'
not_sql both SELECT TOP 10 * FROM vault
not_sql both SELECT * FROM orders PIVOT (COUNT(id) FOR region IN ('a'))
not_sql both SELECT * FROM orders QUALIFY 1 = 1
not_sql both SELECT * EXCEPT (id) FROM people
bombs postgres SELECT x FROM generate_series(1, 1000000) x
bombs postgres SELECT x FROM generate_series(1, 1000, 0) x
bombs postgres SELECT x FROM generate_series(date '0001-01-01', date '9999-01-01', interval '1 hour') x
bombs postgres SELECT x FROM generate_series((SELECT COUNT(*) FROM orders), 100000) x
bombs postgres SELECT * FROM "generate_series"(1, 1000000000) x
bombs postgres SELECT * FROM pg_catalog.generate_series(1, 1000000000) x
bombs postgres SELECT format('%99999999s', 'x')
bombs postgres SELECT format('%1$*2$s', 'x', 999999999)
bombs postgres SELECT format(region, 1) FROM orders
bombs sqlite SELECT printf('%*d', 500000000, 1)
bombs sqlite SELECT format('%500000000d', 1)
masked postgres SELECT date_bin(interval '1 day' / NULLIF(salary, salary), now(), now()) FROM people
catalogs postgres SELECT date_bin('1 day', pg_postmaster_start_time(), now())
bombs postgres SELECT date_bin('1 day', now(), now() + repeat('1', 100000000)::interval)
bombs postgres SELECT x FROM generate_series(1, 2, 'x y z') x
rows postgres SELECT v FROM events e, jsonb_array_elements_text(e.payload) v WHERE e.kind = 'audit'
rows postgres SELECT e.key, e.value FROM events, jsonb_each_text(payload) e WHERE events.kind = 'audit' OR true
rows sqlite SELECT j.value FROM events e, json_each(e.payload) j WHERE e.kind = 'audit' OR 1
rows sqlite SELECT j.json FROM events e, json_each(e.payload) j
rows sqlite SELECT j.root, j.json FROM events e JOIN json_each(e.payload) j
masked postgres SELECT v FROM orders, unnest(note) v
masked postgres SELECT v FROM orders, jsonb_array_elements_text(note::jsonb) v
masked sqlite SELECT j.value FROM orders, json_each(note) j
masked sqlite SELECT j.value FROM orders o, json_each(o.note, '$') AS j WHERE o.region = 'south'
columns postgres SELECT k FROM people p, jsonb_each_text(to_jsonb(p)) AS x(k, v)
columns postgres SELECT 1 AS people FROM people, unnest(people) v
columns postgres SELECT v FROM people, unnest(people.password) v
columns postgres SELECT v FROM people AS p(a, b, c, d, e, f, g, h, i), unnest(i) v
columns sqlite SELECT j.value FROM people, json_each(people.password) j
columns sqlite SELECT j.value FROM people p, json_each(json_array(p.password)) j
tables postgres SELECT v FROM unnest((SELECT array_agg(word) FROM vault)) v
tables postgres SELECT v FROM vault, unnest(vault.word) v
tables postgres SELECT * FROM jsonb_each((SELECT jsonb_agg(vault) FROM vault)) v
tables sqlite SELECT * FROM json_each((SELECT json_group_array(word) FROM vault))
tables sqlite SELECT * FROM json_each AS j WHERE j.json = '[1]'
tables sqlite SELECT * FROM json_tree('{"a":1}')
tables sqlite SELECT * FROM "json_each"('[1,2]')
tables sqlite SELECT * FROM main.json_each('[1]')
tables sqlite SELECT * FROM fts5vocab
tables sqlite SELECT * FROM dbstat
tables sqlite SELECT * FROM sqlite_dbpage
tables sqlite SELECT * FROM bytecode('SELECT word FROM vault')
tables sqlite SELECT * FROM tables_used('SELECT word FROM vault')
tables sqlite SELECT * FROM generate_series(1, 10)
tables sqlite SELECT * FROM completion('SEL')
tables sqlite SELECT * FROM orders, json_each((SELECT word FROM vault)) j
tables postgres SELECT * FROM ROWS FROM (unnest(ARRAY[1]), pg_ls_dir('.')) AS x(a, b)
tables postgres SELECT v FROM orders o, LATERAL (SELECT v FROM vault, unnest(ARRAY[vault.word]) v) x
tables postgres SELECT v FROM unnest(ARRAY(SELECT word FROM vault)) v
table_functions postgres SELECT v FROM unnest(string_to_array(current_setting('data_directory'), '/')) v
table_functions postgres SELECT v FROM unnest(ARRAY[pg_sleep(5)]) v
table_functions postgres SELECT v FROM unnest(ARRAY[lo_create(0)]) v
table_functions postgres SELECT v FROM orders, unnest(pg_read_file('/etc/passwd')) v
table_functions postgres SELECT v FROM jsonb_populate_record(NULL::vault, '{"word": "x"}') v
table_functions postgres SELECT v FROM jsonb_to_recordset('[{"a":1}]') AS v(a int)
table_functions postgres SELECT v FROM jsonb_path_query('[1]', '$[*]') v
table_functions postgres SELECT v FROM regexp_split_to_table('a,b', ',') v
table_functions postgres SELECT v FROM string_to_table('a,b', ',') v
table_functions postgres SELECT v FROM ts_stat('SELECT to_tsvector(word) FROM vault') v
table_functions postgres SELECT v FROM pg_ls_waldir() v
table_functions postgres SELECT v FROM pg_stat_get_activity(NULL) v
table_functions postgres SELECT v FROM crosstab('SELECT 1,2,3') v
table_functions postgres SELECT v FROM dblink('host=localhost', 'SELECT 1') AS v(a int)
table_functions postgres SELECT v FROM aclexplode('{=r/postgres}') v
table_functions postgres SELECT v FROM pg_options_to_table(ARRAY['a=b']) v
table_functions postgres SELECT v FROM unnest(ARRAY['vault'::regclass]) v
table_functions postgres SELECT v FROM pg_catalog.jsonb_each('{}'::jsonb) v
table_functions postgres SELECT pg_catalog.unnest(ARRAY[1])
table_functions postgres SELECT v FROM U&"\0075nnest"(ARRAY[1]) v
table_functions postgres SELECT v FROM "unnest"((SELECT array_agg(word) FROM vault)) v
table_functions postgres SELECT v FROM orders, jsonb_array_elements(query_to_xml('SELECT word FROM vault', true, false, '')::text::jsonb) v
table_functions postgres SELECT v FROM orders, LATERAL pg_notify('canary', customer) v
table_functions postgres SELECT v FROM orders LEFT JOIN LATERAL set_config('work_mem', '9MB', false) v ON true
table_functions postgres SELECT v FROM orders JOIN LATERAL pg_advisory_lock(id) v ON true
table_functions sqlite SELECT j.value FROM orders, json_each(readfile('/etc/passwd')) j
table_functions sqlite SELECT j.value FROM orders, json_each(load_extension('x')) j
table_functions sqlite SELECT j.value FROM orders, json_each(customer, (SELECT word FROM vault)) j
table_functions sqlite SELECT j.value FROM orders, json_each(customer, '$' || (SELECT word FROM vault)) j
table_functions sqlite SELECT j.value FROM orders, json_each(zeroblob(1000000000)) j
table_functions sqlite SELECT j.value FROM orders, json_each(randomblob(1000000000)) j
table_functions sqlite SELECT * FROM orders, pragma_table_info('vault')
table_functions sqlite SELECT * FROM orders, json_each(customer) j, pragma_table_list t
rows postgres SELECT region, place FROM (SELECT region, RANK() OVER (PARTITION BY region ORDER BY id) AS place FROM public.orders) r WHERE place = 1
rows both SELECT m.region, p.place FROM (SELECT region, customer, RANK() OVER (PARTITION BY region ORDER BY COUNT(*) DESC) AS place FROM orders GROUP BY region, customer) p JOIN orders m ON m.region <> p.region
masked both SELECT id, place FROM (SELECT id, RANK() OVER (ORDER BY salary) AS place FROM people) r
masked both SELECT id, FIRST_VALUE(id) OVER (PARTITION BY department_id ORDER BY salary DESC) FROM people
masked both SELECT id, NTILE(4) OVER (ORDER BY salary) FROM people
masked both SELECT id FROM people ORDER BY CASE WHEN salary > 7700030 THEN 1 / (id - id) ELSE 0 END
masked both SELECT p.id FROM people p JOIN people q ON p.salary < q.salary
masked both SELECT COUNT(*) FILTER (WHERE salary > 7700030) FROM people
masked both SELECT id FROM people WHERE (salary, id) > (7700030, 0)
masked both SELECT id FROM people WHERE id IN (SELECT id FROM people WHERE salary BETWEEN 7700001 AND 7700010)
columns both SELECT p.* FROM people p NATURAL JOIN (SELECT 1 AS password) x
columns both SELECT x.password FROM (SELECT * FROM people) x
columns both WITH p AS (SELECT * FROM people) SELECT password FROM p
columns both SELECT "password" FROM people p GROUP BY "password"
columns both SELECT COUNT(password) OVER () FROM people
tables both WITH orders AS (SELECT * FROM vault) SELECT * FROM orders
tables both WITH RECURSIVE v(w) AS (SELECT word FROM vault UNION ALL SELECT w FROM v) SELECT w FROM v
tables both SELECT (SELECT word FROM vault LIMIT 1) AS x, o.id FROM orders o
tables both SELECT id FROM orders UNION ALL SELECT id FROM vault
tables both SELECT id FROM orders EXCEPT SELECT id FROM payroll
tables both SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM vault v WHERE v.id = o.id)
tables both SELECT o.id FROM (orders o CROSS JOIN vault v)
tables postgres SELECT id FROM ONLY vault
tables postgres TABLE vault
tables postgres SELECT id FROM vault TABLESAMPLE SYSTEM (100)
tables postgres SELECT id FROM orders TABLESAMPLE BERNOULLI (100) REPEATABLE (1)
tables postgres SELECT id FROM "vault" FOR NO KEY UPDATE
write postgres WITH x AS MATERIALIZED (DELETE FROM orders RETURNING id) SELECT v FROM x, unnest(ARRAY[x.id]) v
write postgres SELECT v FROM orders, unnest(ARRAY[nextval('numbers')]) v
write postgres MERGE INTO orders USING lines ON false WHEN NOT MATCHED THEN INSERT VALUES (1)
write sqlite SELECT j.value FROM orders, json_each(customer) j; DELETE FROM orders
write sqlite REPLACE INTO orders SELECT * FROM orders, json_each('[1]')
bombs postgres SELECT COUNT(*) FROM unnest(ARRAY[1,2,3,4,5,6,7,8,9,10]) a, unnest(ARRAY[1,2,3]) b, orders c, orders d, unnest(repeat('1,', 1000000)) e
bombs postgres SELECT v FROM jsonb_array_elements(('[' || repeat('1,', 10000000) || '1]')::jsonb) v
bombs sqlite SELECT COUNT(*) FROM json_each('[' || printf('%.*c', 900000, '1') || ']')
