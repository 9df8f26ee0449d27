import assert from 'node:assert/strict';
import { answersByPath } from '../../../../../src/search/local/query/fileRoutes';
import { readQuery } from '../../../../../src/search/local/query/requestedRoute';

function answers(file: string, request: string): boolean {
  const { route } = readQuery(request);
  assert.ok(route, request);
  return answersByPath(file.toLowerCase(), route);
}

describe('the files whose path is a route', () => {
  it('are those of Next.js', () => {
    for (const [file, request] of [
      ['src/app/users/page.tsx', '/users'],
      ['app/(admin)/users/[id]/edit/page.tsx', '/users/42/edit'],
      ['apps/web/app/api/users/[userId]/route.ts', 'GET /api/users/42'],
      ['app/@modal/users/page.tsx', '/users'],
      ['app/docs/[...slug]/page.tsx', '/docs/a/b/c'],
      ['app/docs/[[...slug]]/page.tsx', '/docs'],
      ['pages/users/[id].tsx', '/users/42'],
      ['pages/users/index.js', '/users'],
      ['src/pages/api/users.ts', 'POST /api/users'],
    ] as const) {
      assert.ok(answers(file, request), file);
    }
  });

  it('are those of SvelteKit, Remix, Nuxt, Astro and Vue', () => {
    for (const [file, request] of [
      ['src/routes/users/[id]/+page.svelte', '/users/42'],
      ['src/routes/users/+server.ts', 'POST /users'],
      ['src/routes/users/+page.server.ts', '/users'],
      ['app/routes/users.$id.edit.tsx', '/users/42/edit'],
      ['server/api/users/[id].get.ts', 'GET /api/users/42'],
      ['pages/users/_id.vue', '/users/42'],
      ['src/pages/blog/[slug].astro', '/blog/hello'],
    ] as const) {
      assert.ok(answers(file, request), file);
    }
  });

  it('are no others', () => {
    for (const [file, request] of [
      ['app/users/page.tsx', '/users/42'],
      ['app/users/[id]/page.tsx', '/users'],
      ['app/users/[id]/edit/page.tsx', '/users/42/delete'],
      ['app/users/list.css', '/users/list'],
      ['src/users/page.tsx', '/users'],
      ['app/[slug]/page.tsx', '/users'],
      ['app/users/[id]/page.tsx', '/teams/42'],
      ['app/users/page.tsx', '/users/page'],
      ['src/app/users.ts', '/users'],
      ['src/app/users/index.ts', '/users'],
      ['server/users.js', '/users'],
    ] as const) {
      assert.ok(!answers(file, request), file);
    }
  });
});
