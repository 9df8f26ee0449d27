import { all, insertAfter, type MergeCase, remove, replace } from './mergeCase';

const text = `import { useEffect, useState } from 'react';
import { fetchOrders, type Order } from '../api/orders';
import { Spinner } from './Spinner';

interface OrderListProps {
  customerId: string;
  pageSize?: number;
  onSelect: (order: Order) => void;
}

export function OrderList({ customerId, pageSize = 20, onSelect }: OrderListProps) {
  const [orders, setOrders] = useState<Order[]>([]);
  const [page, setPage] = useState(0);
  const [isLoading, setIsLoading] = useState(true);

  useEffect(() => {
    setIsLoading(true);
    fetchOrders(customerId, page, pageSize).then(found => {
      setOrders(found);
      setIsLoading(false);
    });
  }, [customerId, page, pageSize]);

  if (isLoading) {
    return <Spinner />;
  }

  return (
    <section className="orders">
      <header>
        <h2>Orders</h2>
        <span>{orders.length}</span>
      </header>
      <ul>
        {orders.map(order => (
          <li key={order.id}>
            <button type="button" onClick={() => onSelect(order)}>
              {order.title}
            </button>
            <Price amount={order.total} />
          </li>
        ))}
      </ul>
      <footer>
        <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
          Back
        </button>
        <button type="button" onClick={() => setPage(page + 1)}>
          Next
        </button>
      </footer>
    </section>
  );
}

function Price({ amount }: { amount: number }) {
  const text = (amount / 100).toFixed(2);
  return <span className="price">{text}</span>;
}
`;

export const tsx: MergeCase = {
  path: 'src/components/OrderList.tsx',
  text,
  edits: {
    'adds a state and shows it': all(
      insertAfter(
        '  const [isLoading, setIsLoading] = useState(true);\n',
        '  const [error, setError] = useState<string>();\n',
      ),
      insertAfter(
        '    return <Spinner />;\n  }\n',
        '  if (error) {\n    return <p role="alert">{error}</p>;\n  }\n',
      ),
      replace(
        '      setIsLoading(false);\n    });',
        '      setIsLoading(false);\n    }, reason => setError(String(reason)));',
      ),
    ),
    'replaces the heading': replace(
      '        <h2>Orders</h2>',
      '        <h2 id="orders">Your orders</h2>',
    ),
    'removes the footer': remove(
      text.slice(text.indexOf('      <footer>'), text.indexOf('    </section>')),
    ),
    'adds an attribute to a repeated element': replace(
      '        <button type="button" onClick={() => setPage(page + 1)}>',
      '        <button type="button" disabled={orders.length < pageSize} onClick={() => setPage(page + 1)}>',
    ),
    'adds a component at the end': insertAfter(
      '  return <span className="price">{text}</span>;\n}\n',
      '\nexport function EmptyList() {\n  return <p className="empty">Nothing ordered yet</p>;\n}\n',
    ),
  },
};
