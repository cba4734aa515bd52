both SELECT COUNT(*) FROM orders
both SELECT region, SUM(l.quantity * l.price) AS revenue FROM orders o JOIN lines l ON l.order_id = o.id GROUP BY region ORDER BY revenue DESC
both SELECT d.name, COUNT(p.id) AS heads FROM departments d LEFT JOIN people p ON p.department_id = d.id GROUP BY d.id, d.name ORDER BY heads DESC, d.name
both SELECT category, AVG(price) AS average, MIN(price), MAX(price) FROM products GROUP BY category HAVING COUNT(*) > 2 ORDER BY category
both SELECT DISTINCT region FROM orders ORDER BY region
both SELECT * FROM departments ORDER BY id
both SELECT o.* FROM orders o WHERE o.status = 'open' ORDER BY o.id LIMIT 25
both SELECT name FROM products p WHERE NOT EXISTS (SELECT 1 FROM lines l WHERE l.product_id = p.id AND l.quantity > 8) ORDER BY name
both SELECT name FROM people WHERE id IN (SELECT person_id FROM orders WHERE status = 'paid') ORDER BY name
both WITH totals AS (SELECT order_id, SUM(quantity * price) AS total FROM lines GROUP BY order_id) SELECT o.region, AVG(t.total) AS average FROM orders o JOIN totals t ON t.order_id = o.id GROUP BY o.region ORDER BY o.region
postgres WITH orders AS (SELECT * FROM orders WHERE status = 'paid') SELECT region, COUNT(*) FROM orders GROUP BY region ORDER BY region
both SELECT name, price, RANK() OVER (PARTITION BY category ORDER BY price DESC, id) AS place FROM products ORDER BY category, place
both SELECT id, placed, SUM(1) OVER (ORDER BY placed, id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS three FROM orders ORDER BY placed, id LIMIT 40
both SELECT * FROM (SELECT name, category, ROW_NUMBER() OVER (PARTITION BY category ORDER BY price DESC, id) AS r FROM products) AS ranked WHERE r <= 2 ORDER BY category, r
both SELECT name FROM people UNION SELECT name FROM products ORDER BY name LIMIT 30
both SELECT person_id FROM orders INTERSECT SELECT person_id FROM events WHERE kind = 'login' ORDER BY person_id
both SELECT 'orders' AS what, COUNT(*) AS n FROM orders UNION ALL SELECT 'people', COUNT(*) FROM people UNION ALL SELECT 'products', COUNT(*) FROM products ORDER BY what
both SELECT COALESCE(discount, 0) AS off, COUNT(*) FROM orders GROUP BY COALESCE(discount, 0) ORDER BY 1
sqlite SELECT ROUND(AVG(price), 2) FROM products
both SELECT COUNT(*) FILTER (WHERE status = 'paid') AS paid, COUNT(*) AS of_all FROM orders
both SELECT 100.0 * SUM(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*) AS percent FROM orders
both SELECT placed, COUNT(*) FROM orders WHERE placed >= '2025-03-01' AND placed < '2025-04-01' GROUP BY placed ORDER BY placed
both SELECT p.name AS 产品, SUM(l.quantity) AS 数量 FROM products p JOIN lines l ON p.id = l.product_id GROUP BY p.name ORDER BY 数量 DESC, 产品 LIMIT 5
both SELECT COUNT(*) FROM orders o CROSS JOIN departments d WHERE d.city = 'Berlin'
both SELECT customer FROM orders WHERE customer LIKE 'M%' OR customer LIKE '%o''n' GROUP BY customer ORDER BY customer
both SELECT d.city, AVG(t.n) AS average FROM departments d JOIN (SELECT department_id, COUNT(*) AS n FROM people GROUP BY department_id) t ON t.department_id = d.id GROUP BY d.city ORDER BY d.city
both SELECT name, (SELECT COUNT(*) FROM orders o WHERE o.person_id = p.id) AS sold FROM people p ORDER BY sold DESC, name LIMIT 10
both SELECT COUNT(salary), COUNT(*), MAX(salary) FROM people
both SELECT name FROM people WHERE salary > 1000 ORDER BY name
both SELECT category || ': ' || name AS label FROM products ORDER BY label LIMIT 12
both SELECT SUBSTR(customer, 1, 1) AS initial, COUNT(*) FROM orders GROUP BY SUBSTR(customer, 1, 1) ORDER BY initial
both SELECT NTILE(4) OVER (ORDER BY price, id) AS quartile, name FROM products ORDER BY quartile, name
both SELECT DENSE_RANK() OVER (ORDER BY COUNT(*) DESC) AS place, customer, COUNT(*) AS n FROM orders GROUP BY customer ORDER BY place, customer
both SELECT ABS(quantity - 5) AS off, COUNT(*) FROM lines GROUP BY ABS(quantity - 5) ORDER BY off
both SELECT o.id FROM orders AS o INNER JOIN people AS p ON (o.person_id = p.id AND p.department_id = 3) ORDER BY o.id
both SELECT first.region, first.n, second.n FROM (SELECT region, COUNT(*) n FROM orders WHERE placed < '2025-07-01' GROUP BY region) first JOIN (SELECT region, COUNT(*) n FROM orders WHERE placed >= '2025-07-01' GROUP BY region) second ON first.region = second.region ORDER BY first.region
both SELECT kind, AVG(seconds) AS mean, MAX(seconds) - MIN(seconds) AS spread FROM events GROUP BY kind ORDER BY kind
both SELECT department_id, COUNT(*) FROM people GROUP BY department_id ORDER BY COUNT(*) DESC, department_id LIMIT 3 OFFSET 1
both SELECT first_value(name) OVER (PARTITION BY category ORDER BY price, id) AS cheapest, category FROM products ORDER BY category, id
both SELECT region, status, COUNT(*) FROM orders GROUP BY region, status HAVING COUNT(*) > (SELECT COUNT(*) / 30 FROM orders) ORDER BY region, status
both SELECT p.id FROM people p WHERE p.hired = (SELECT MAX(hired) FROM people q WHERE q.department_id = p.department_id) ORDER BY p.id
both SELECT name FROM people WHERE active = TRUE ORDER BY name LIMIT 15
both SELECT Region, COUNT(*) AS Total FROM Orders GROUP BY REGION ORDER BY total DESC, region
both SELECT COUNT(*) FROM (SELECT DISTINCT customer, region FROM orders) AS pairs
both SELECT l.order_id, SUM(l.quantity * l.price) AS total FROM lines l GROUP BY l.order_id HAVING SUM(l.quantity * l.price) > 500 ORDER BY total DESC, l.order_id LIMIT 20
both WITH monthly AS (SELECT region, COUNT(*) AS n FROM orders GROUP BY region) SELECT region, n, SUM(n) OVER (ORDER BY region) AS running, 1.0 * n / SUM(n) OVER () AS share FROM monthly ORDER BY region
postgres SELECT date_trunc('month', placed) AS month, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1
postgres SELECT EXTRACT(YEAR FROM placed) AS year, EXTRACT(QUARTER FROM placed) AS quarter, COUNT(*) FROM orders GROUP BY 1, 2 ORDER BY 1, 2
postgres SELECT EXTRACT(ISODOW FROM placed)::int AS weekday, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1
postgres SELECT COUNT(*) FROM orders WHERE placed >= date_trunc('month', now()) - interval '1 month' AND placed < date_trunc('month', now())
postgres SELECT COUNT(*) FROM events WHERE at > TIMESTAMP '2025-06-01 00:00:00'
postgres SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY price) AS median FROM products
postgres SELECT category, percentile_cont(0.9) WITHIN GROUP (ORDER BY price) FROM products GROUP BY category ORDER BY category
postgres SELECT stddev(price), variance(price), stddev_pop(price) FROM products
postgres SELECT corr(quantity, price) FROM lines
postgres SELECT region, status, COUNT(*) FROM orders GROUP BY ROLLUP (region, status) ORDER BY region NULLS LAST, status NULLS LAST
postgres SELECT region, status, COUNT(*) FROM orders GROUP BY GROUPING SETS ((region), (status), ()) ORDER BY 1 NULLS FIRST, 2 NULLS FIRST
postgres SELECT price::int AS whole, COUNT(*) FROM products GROUP BY price::int ORDER BY whole
postgres SELECT customer FROM orders WHERE customer ILIKE 'm%' GROUP BY customer ORDER BY customer
postgres SELECT split_part(email, '@', 2) AS domain, COUNT(*) FROM people GROUP BY 1 ORDER BY 1
postgres SELECT d.name, top.name FROM departments d CROSS JOIN LATERAL (SELECT p.name FROM people p WHERE p.department_id = d.id ORDER BY p.hired, p.id LIMIT 1) AS top ORDER BY d.name
postgres SELECT (payload ->> 'size')::int / 100 AS hundred, COUNT(*) FROM events GROUP BY 1 ORDER BY 1
postgres SELECT age(DATE '2026-01-01', hired) AS served, name FROM people ORDER BY hired, id LIMIT 10
postgres SELECT region, bool_and(discount IS NULL) AS none, bool_or(status = 'open') AS any_open FROM orders GROUP BY region ORDER BY region
postgres SELECT COUNT(*) FROM orders WHERE status = ANY (ARRAY['open', 'paid'])
postgres SELECT COUNT(*) FROM people WHERE salary IS DISTINCT FROM 1000
postgres SELECT date_trunc('week', placed)::date AS week, SUM(l.quantity) FROM orders JOIN lines l ON l.order_id = orders.id GROUP BY week ORDER BY week LIMIT 20
postgres SELECT region, COUNT(*), ROUND(100.0 * COUNT(*) / SUM(COUNT(*)) OVER (), 1) AS percent FROM orders GROUP BY region ORDER BY region
postgres WITH m AS (SELECT date_trunc('month', placed) AS month, COUNT(*) AS n FROM orders GROUP BY 1) SELECT month, n, n - LAG(n) OVER (ORDER BY month) AS change FROM m ORDER BY month
postgres SELECT at AT TIME ZONE 'UTC' AS utc, kind FROM events ORDER BY at, id LIMIT 5
postgres SELECT COUNT(*) FROM orders WHERE placed BETWEEN make_date(2025, 1, 1) AND make_date(2025, 12, 31)
postgres SELECT name, salary * 12 AS yearly, COALESCE(salary, 0) + 1 AS more FROM people ORDER BY id LIMIT 8
postgres TABLE departments
sqlite SELECT strftime('%Y', placed) AS year, (CAST(strftime('%m', placed) AS INTEGER) + 2) / 3 AS quarter, COUNT(*) FROM orders GROUP BY 1, 2 ORDER BY 1, 2
sqlite SELECT COUNT(*) FROM orders WHERE placed >= date('now', '-30 days')
sqlite SELECT strftime('%w', placed) AS weekday, COUNT(*) FROM orders GROUP BY weekday ORDER BY weekday
sqlite SELECT strftime('%H', at) AS hour, COUNT(*) FROM events GROUP BY hour ORDER BY hour
sqlite SELECT category, GROUP_CONCAT(name, ', ') FROM (SELECT category, name FROM products ORDER BY category, name) GROUP BY category ORDER BY category
sqlite SELECT IFNULL(discount, 0) AS off, COUNT(*) FROM orders GROUP BY off ORDER BY off
sqlite SELECT COUNT(*) FROM orders WHERE region = "north"
sqlite SELECT name FROM products WHERE name GLOB '[A-M]*' ORDER BY name
sqlite SELECT json_extract(payload, '$.browser') AS browser, COUNT(*) FROM events GROUP BY browser ORDER BY browser
sqlite SELECT payload ->> '$.size' AS size, kind FROM events ORDER BY id LIMIT 10
sqlite SELECT CAST(price AS NUMERIC), CAST(id AS TEXT), CAST(price AS REAL) FROM products ORDER BY id
sqlite SELECT name, MAX(price) FROM products
sqlite SELECT date(placed, '+7 days') AS due, id FROM orders ORDER BY id LIMIT 10
sqlite SELECT unixepoch(at) / 3600 AS hour, COUNT(*) FROM events GROUP BY hour ORDER BY hour LIMIT 20
sqlite SELECT instr(email, '@') > 0 AS has, COUNT(*) FROM people GROUP BY has ORDER BY has
sqlite SELECT typeof(price), COUNT(*) FROM products GROUP BY 1 ORDER BY 1
sqlite SELECT COUNT(*) FROM orders WHERE discount == 5 OR discount != 10
sqlite SELECT SUM(status = 'paid') AS paid, AVG(status = 'paid') AS rate FROM orders
sqlite SELECT main.orders.region, COUNT(*) FROM main.orders GROUP BY main.orders.region ORDER BY 1
sqlite SELECT name, salary IS NULL AS hidden FROM people ORDER BY id LIMIT 10
sqlite SELECT date('now') <= date(CURRENT_TIMESTAMP)
sqlite SELECT a.region, b.region FROM orders a JOIN orders b USING (customer) WHERE a.id < b.id ORDER BY a.id, b.id LIMIT 10
postgres SELECT json_agg(region) FROM (SELECT DISTINCT region FROM orders ORDER BY 1) q
postgres SELECT json_build_object('region', region, 'orders', COUNT(*)) FROM orders GROUP BY region ORDER BY region
postgres SELECT array_agg(DISTINCT status ORDER BY status) FROM orders
postgres SELECT format('%s: %s', region, COUNT(*)) FROM orders GROUP BY region ORDER BY 1
postgres SELECT id FROM orders ORDER BY id FETCH FIRST 5 ROWS ONLY
postgres SELECT d.day::date, COUNT(o.id) FROM generate_series(date '2026-01-01', date '2026-01-20', interval '1 day') AS d(day) LEFT JOIN orders o ON o.placed::date = d.day::date GROUP BY 1 ORDER BY 1
postgres SELECT x * 2 FROM generate_series(1, 10) AS x ORDER BY 1
sqlite SELECT json_object('region', region, 'orders', COUNT(*)) FROM orders GROUP BY region ORDER BY region
sqlite SELECT json_group_array(region) FROM (SELECT DISTINCT region FROM orders ORDER BY 1)
sqlite SELECT printf('%.2f', SUM(price)) FROM products
both SELECT name, SUM(price) OVER (ORDER BY price, id ROWS UNBOUNDED PRECEDING) FROM products ORDER BY id
postgres SELECT date_bin('6 hours', at, TIMESTAMP '2024-01-01') AS slot, COUNT(*) FROM events GROUP BY 1 ORDER BY 1 LIMIT 20
postgres SELECT e.key, COUNT(*) FROM events, jsonb_each_text(payload) e GROUP BY 1 ORDER BY 1
postgres SELECT k.v, COUNT(*) FROM events CROSS JOIN LATERAL jsonb_object_keys(payload) AS k(v) GROUP BY 1 ORDER BY 1
postgres SELECT v, COUNT(*) FROM orders, unnest(ARRAY['open', 'paid']) v WHERE status = v GROUP BY v ORDER BY v
postgres SELECT events.id, x ->> 'a' FROM events LEFT JOIN LATERAL jsonb_array_elements(payload -> 'items') x ON true ORDER BY 1 LIMIT 5
postgres SELECT events.id, x.value FROM events, jsonb_each(payload) x WHERE x.key = 'size' ORDER BY 1 LIMIT 5
sqlite SELECT j.key, COUNT(*) FROM events, json_each(payload) j GROUP BY j.key ORDER BY 1
sqlite SELECT e.id, j.value FROM events e JOIN json_each(e.payload) j WHERE j.key = 'size' ORDER BY e.id LIMIT 5
sqlite SELECT COUNT(*) FROM events, json_each(payload)
sqlite SELECT key, value FROM events, json_each(payload, '$.items') LIMIT 5
postgres SELECT SUM(jsonb_array_length(payload -> 'items')) FROM events
