import { all, insertAfter, insertBefore, type MergeCase, remove, replace } from './mergeCase';

const text = `create table customers (
  id bigint generated always as identity primary key,
  email text not null unique,
  name text not null,
  created_at timestamptz not null default now()
);

create table products (
  id bigint generated always as identity primary key,
  title text not null,
  price_cents integer not null check (price_cents >= 0),
  created_at timestamptz not null default now()
);

create table orders (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  state text not null default 'open',
  created_at timestamptz not null default now()
);

create table order_lines (
  order_id bigint not null references orders (id) on delete cascade,
  product_id bigint not null references products (id),
  quantity integer not null check (quantity > 0),
  primary key (order_id, product_id)
);

create index orders_by_customer on orders (customer_id);

create view order_totals as
select
  orders.id,
  orders.customer_id,
  sum(order_lines.quantity * products.price_cents) as total_cents
from orders
join order_lines on order_lines.order_id = orders.id
join products on products.id = order_lines.product_id
group by orders.id;

create function close_order(wanted bigint) returns void as $$
begin
  update orders set state = 'closed' where id = wanted;
  if not found then
    raise exception 'no such order: %', wanted;
  end if;
end;
$$ language plpgsql;
`;

export const sql: MergeCase = {
  path: 'db/schema.sql',
  text,
  edits: {
    'adds a column to one of the tables that look alike': insertAfter(
      "  state text not null default 'open',\n",
      '  closed_at timestamptz,\n',
    ),
    'adds an index': insertBefore(
      'create view order_totals as\n',
      'create index orders_by_state on orders (state);\n\n',
    ),
    'filters the view': replace(
      'join products on products.id = order_lines.product_id\n',
      "join products on products.id = order_lines.product_id\nwhere orders.state <> 'cancelled'\n",
    ),
    'stores when an order was closed': replace(
      "  update orders set state = 'closed' where id = wanted;\n",
      "  update orders\n  set state = 'closed', closed_at = now()\n  where id = wanted;\n",
    ),
    'removes a column and widens another': all(
      remove('  name text not null,\n'),
      replace(
        '  quantity integer not null check (quantity > 0),',
        '  quantity bigint not null check (quantity > 0),',
      ),
    ),
  },
};
