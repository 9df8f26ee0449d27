import assert from 'node:assert/strict';
import { readQuery, withoutHeaders } from '../../../../../src/search/local/query/requestedRoute';

/** The method and the path, with `*` for each value; undefined where the query has no request. */
function told(query: string): string | undefined {
  const { route } = readQuery(query);
  if (!route) return undefined;
  const path = route.segments.map(({ text, isValue }) => (isValue ? '*' : text)).join('/');
  return [route.method ?? [], path].flat().join(' ');
}

const uuid = '3f2504e0-4f89-11d3-9a0c-0305e82c3301';

const weights = (query: string): number[] | undefined =>
  readQuery(query).route?.segments.map(({ weight }) => weight);

describe('the request in a query', () => {
  it('is a path with its method, or a URL, also amid words', () => {
    assert.equal(told('GET /api/users/42?page=2#top'), 'get api/users/*');
    assert.equal(told('http://localhost:3000/admin/Users/7/edit'), 'admin/users/*/edit');
    assert.equal(told('why does POST https://a.example/v1/items/9 fail?'), 'post v1/items/*');
    assert.equal(told('/about'), 'about');
    assert.equal(told('404 for (/files/read%20me).'), 'files/read me');
    assert.equal(told('api/v2/teams'), 'api/v2/teams');
  });

  it('is in the lines of servers, browsers and logs', () => {
    for (const line of [
      '1.2.3.4 - - [02/May/2024:10:11:12 +0000] "GET /users/42 HTTP/1.1" 500 12 "-" "Mozilla/5.0"',
      'Started GET "/users/42" for 127.0.0.1 at 2024-05-02 10:11:12 +0000',
      'ActionController::RoutingError (No route matches [GET] "/users/42")',
      'Cannot GET /users/42',
      'GET http://localhost:3000/users/42 404 (Not Found)',
    ]) {
      assert.equal(told(line), 'get users/*', line);
    }
  });

  it('has values for numbers, identifiers and parameters', () => {
    for (const value of [
      '7',
      uuid,
      '507f1f77bcf86cd799439011',
      '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      '2024-05-02',
      'me@mail.example',
      ':id',
      '{userId}',
      '<int:id>',
      '[id]',
      '$id',
    ]) {
      assert.equal(told(`GET /users/${value}/posts`), 'get users/*/posts', value);
    }
    for (const name of ['v2-beta', 'deadbeef', 'jane-doe', 'x2']) {
      assert.equal(told(`GET /users/${name}`), `get users/${name}`, name);
    }
    assert.equal(told('users/{id}/posts'), 'users/*/posts');
  });

  it('is no path of a file, and not in what is long or has no name', () => {
    for (const query of [
      'src/queue.ts',
      '/home/me/src/queue.ts',
      'http://localhost/app/main.js',
      'src/utils/helper',
      'and/or',
      'GET /',
      'GET /42',
      'http://localhost:3000/',
      'read/write lock',
      `GET /${'a/'.repeat(30)}`,
      `${'word '.repeat(100)} GET /users`,
    ]) {
      assert.equal(told(query), undefined, query);
      assert.equal(readQuery(query).words, query);
    }
  });

  it('leaves its names to the words, and the other words as they are', () => {
    const { words, rest, files } = readQuery('why is GET /userProfiles/42/tests slow HTTP/1.1');
    assert.equal(words.trim(), 'why is userProfiles tests slow');
    assert.equal(rest.replace(/ +/g, ' ').trim(), 'why is slow');
    assert.equal(files, rest);
    assert.equal(readQuery('/settings/profile').files, '/settings/profile');
  });

  it('has words where a sentence has none', () => {
    assert.deepEqual(readQuery('about').terms, []);
    assert.deepEqual(readQuery('how is it done').terms, []);
    for (const label of ['Less than…', "Don't allow"]) {
      assert.equal(readQuery(label).terms.length, 2, label);
    }
    assert.deepEqual(
      readQuery('GET /about').terms.map(({ forms }) => forms[0]?.words),
      [['about']],
    );
  });

  it('weighs what all paths begin with less', () => {
    const [api = 0, version = 0, users = 0, value] = weights('GET /api/v1/users/42') ?? [];
    assert.ok(api > 0 && api === version && api < users);
    assert.equal(value, 0);
    assert.deepEqual(weights('GET /api/v1'), [1, 1]);
  });
});

describe('a copied request', () => {
  const headers = `-H 'accept: */*' -H 'authorization: Bearer secret' -b 'session=secret'`;

  it('is a line without its headers and body', () => {
    const line = 'GET https://a.example/api/users/42?tab=1';
    assert.equal(withoutHeaders(`curl 'https://a.example/api/users/42?tab=1' ${headers}`), line);
    assert.equal(
      withoutHeaders(`curl ^"https://a.example/api/users/42?tab=1^" ^\n  -H ^"cookie: a=secret^"`),
      line,
    );
    assert.equal(
      withoutHeaders(
        'fetch("https://a.example/x", {\n  "headers": { "cookie": "secret" },\n  "method": "PUT"\n});',
      ),
      'PUT https://a.example/x',
    );
    assert.equal(
      withoutHeaders(`curl 'https://a.example/x' ${headers} --data-raw '{"a":1}' --compressed`),
      'POST https://a.example/x',
    );
    assert.equal(
      withoutHeaders(`curl -X DELETE https://a.example/x ${headers}`),
      'DELETE https://a.example/x',
    );
  });

  it('is read whatever its length', () => {
    assert.equal(told(`curl 'https://a.example/users/42' ${headers.repeat(50)}`), 'get users/*');
  });

  it('is nothing else', () => {
    for (const query of [
      'how does curl retry',
      'curl without a URL',
      'fetch(user)',
      'x curl http://a/b',
    ])
      assert.equal(withoutHeaders(query), query);
  });
});
