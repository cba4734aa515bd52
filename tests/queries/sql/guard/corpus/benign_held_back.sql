both SELECT status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY n DESC, status
both SELECT p.name, m.name AS manager FROM people p LEFT JOIN people m ON m.id = p.manager_id ORDER BY p.id LIMIT 20
both SELECT customer, COUNT(DISTINCT person_id) AS sellers FROM orders GROUP BY customer ORDER BY sellers DESC, customer LIMIT 10
both SELECT name FROM products WHERE price > (SELECT AVG(price) FROM products) ORDER BY name
both SELECT CASE WHEN price < 20 THEN 'cheap' WHEN price < 60 THEN 'middle' ELSE 'dear' END AS band, COUNT(*) FROM products GROUP BY 1 ORDER BY 1
both WITH a AS (SELECT region, COUNT(*) AS n FROM orders GROUP BY region), b AS (SELECT MAX(n) AS most FROM a) SELECT a.region, a.n FROM a, b WHERE a.n = b.most ORDER BY a.region
both SELECT id, LAG(placed) OVER (PARTITION BY customer ORDER BY placed, id) AS before FROM orders ORDER BY id LIMIT 50
both SELECT region FROM orders WHERE status = 'open' EXCEPT SELECT region FROM orders WHERE status = 'cancelled' ORDER BY region
both SELECT UPPER(name) AS loud, LENGTH(name) AS size FROM products WHERE LOWER(name) LIKE '%a%' ORDER BY id
both SELECT customer, SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) AS paid, SUM(CASE WHEN status = 'open' THEN 1 ELSE 0 END) AS open FROM orders GROUP BY customer ORDER BY customer
both SELECT region, 1.0 * COUNT(*) / (SELECT COUNT(*) FROM orders) AS share FROM orders GROUP BY region ORDER BY region
both SELECT name AS "Name of product", price AS "Price (EUR)" FROM products ORDER BY "Price (EUR)" DESC, "Name of product" LIMIT 5
both SELECT COUNT(*) FROM orders WHERE discount IS NULL AND NOT status IN ('open', 'cancelled')
both SELECT name, salary FROM people WHERE department_id = 2 ORDER BY name
both SELECT NULLIF(region, 'north') AS other, COUNT(*) FROM orders GROUP BY NULLIF(region, 'north') ORDER BY COUNT(*), 1
both SELECT REPLACE(TRIM(name), ' ', '_') FROM products ORDER BY id LIMIT 10
both SELECT id FROM orders WHERE id BETWEEN 10 AND 30 AND region <> 'south' ORDER BY id
both SELECT name FROM departments WHERE id NOT IN (SELECT department_id FROM people WHERE department_id IS NOT NULL) ORDER BY name
both SELECT COUNT(*) AS n, SUM(quantity) AS pieces, SUM(quantity) / COUNT(*) AS each_time FROM lines
both SELECT /* by region */ region, COUNT(*) FROM orders GROUP BY region ORDER BY region -- the end
both SELECT o.region, p.category, SUM(l.quantity) AS pieces FROM orders o JOIN lines l ON l.order_id = o.id JOIN products p ON p.id = l.product_id WHERE o.status IN ('paid', 'open') GROUP BY o.region, p.category ORDER BY o.region, p.category
sqlite SELECT id, ROUND(price * 1.19, 2) AS gross FROM products ORDER BY id
both SELECT kind, COUNT(*) FROM events WHERE person_id IS NULL GROUP BY kind ORDER BY kind
postgres SELECT to_char(placed, 'YYYY-MM') AS month, COUNT(*) FROM orders GROUP BY to_char(placed, 'YYYY-MM') ORDER BY month
postgres SELECT COUNT(*) FROM orders WHERE placed >= CURRENT_DATE - INTERVAL '30 days'
postgres SELECT date_part('hour', at) AS hour, COUNT(*) FROM events GROUP BY hour ORDER BY hour
postgres SELECT category, string_agg(name, ', ' ORDER BY name) AS names FROM products GROUP BY category ORDER BY category
postgres SELECT DISTINCT ON (category) category, name, price FROM products ORDER BY category, price DESC, id
postgres SELECT region, status, COUNT(*) FROM orders GROUP BY CUBE (region, status) ORDER BY 1, 2
postgres SELECT name FROM products WHERE name ~* '^[a-m]' ORDER BY name
postgres SELECT payload ->> 'browser' AS browser, COUNT(*) FROM events GROUP BY 1 ORDER BY 1
postgres SELECT COUNT(*) FROM people WHERE hired < CURRENT_DATE - INTERVAL '1 year' * 2
postgres SELECT v.label, COUNT(p.id) FROM (VALUES ('cheap', 0, 20), ('rest', 20, 1000)) AS v(label, low, high) LEFT JOIN products p ON p.price >= v.low AND p.price < v.high GROUP BY v.label ORDER BY v.label
postgres SELECT name, GREATEST(price, 10) AS least_ten, LEAST(price, 50) AS most_fifty FROM products ORDER BY id
postgres SELECT public.orders.region, count(*) FROM public.orders GROUP BY public.orders.region ORDER BY 1
postgres SELECT width_bucket(price, 0, 100, 5) AS bucket, COUNT(*) FROM products GROUP BY bucket ORDER BY bucket
sqlite SELECT strftime('%Y-%m', placed) AS month, COUNT(*) FROM orders GROUP BY month ORDER BY month
sqlite SELECT COUNT(*) FROM orders WHERE placed >= date('now', 'start of month', '-1 month') AND placed < date('now', 'start of month')
sqlite SELECT ROUND(julianday('2026-01-01') - julianday(hired)) AS days, name FROM people ORDER BY hired, id LIMIT 10
sqlite SELECT IIF(price > 50, 'dear', 'cheap') AS band, COUNT(*) FROM products GROUP BY band ORDER BY band
sqlite SELECT name FROM people WHERE name LIKE 'a%' COLLATE NOCASE ORDER BY name COLLATE NOCASE
sqlite SELECT TOTAL(price), SUM(price), CAST(SUM(price) AS INTEGER) FROM products
sqlite SELECT MAX(price, 10), MIN(price, 50) FROM products ORDER BY id
sqlite SELECT datetime(at, 'start of day') AS day, COUNT(*) FROM events GROUP BY day ORDER BY day LIMIT 30
sqlite SELECT [region], `status`, COUNT(*) FROM [orders] GROUP BY [region], `status` ORDER BY 1, 2
sqlite SELECT id % 7 AS bucket, COUNT(*) FROM orders GROUP BY bucket HAVING bucket > 2 ORDER BY bucket
sqlite SELECT region, printed FROM (SELECT region, COUNT(*) AS printed FROM orders GROUP BY region) ORDER BY 1 LIMIT 2, 1
sqlite SELECT COUNT(*) FROM departments NATURAL JOIN (SELECT id, name FROM departments)
both SELECT region, status, COUNT(*) AS n, RANK() OVER (PARTITION BY region ORDER BY COUNT(*) DESC, status) AS place FROM orders GROUP BY region, status ORDER BY region, place
both SELECT category, COUNT(*) FILTER (WHERE price > 20) AS dear, COUNT(*) AS n FROM products GROUP BY category ORDER BY category
both SELECT id FROM products EXCEPT SELECT product_id FROM lines WHERE quantity > 3 ORDER BY id
postgres SELECT d.name, l.n FROM departments d CROSS JOIN LATERAL (SELECT COUNT(*) AS n FROM people p WHERE p.department_id = d.id) l ORDER BY d.id
postgres SELECT jsonb_build_array(region, COUNT(*)) FROM orders GROUP BY region ORDER BY region
sqlite SELECT json_group_object(region, n) FROM (SELECT region, COUNT(*) AS n FROM orders GROUP BY region ORDER BY region)
