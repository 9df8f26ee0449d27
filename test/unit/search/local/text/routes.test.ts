import assert from 'node:assert/strict';
import { readQuery } from '../../../../../src/search/local/query/requestedRoute';
import type { NamedPlace } from '../../../../../src/search/local/text/namedPlaces';
import { RouteFinder } from '../../../../../src/search/local/text/routes';

function placeIn(text: string, request: string, file = 'src/server.x'): NamedPlace | undefined {
  const { route } = readQuery(request);
  assert.ok(route, request);
  return new RouteFinder(route).placeIn(text, file);
}

const lineIn = (text: string, request: string, file?: string): number | undefined =>
  placeIn(text, request, file)?.line;

const worthIn = (text: string, request: string, file?: string): number =>
  placeIn(text, request, file)?.worth ?? 0;

describe('what answers a request', () => {
  it('is declared in any framework', () => {
    for (const line of [
      "app.get('/users/:id/posts', list);",
      'router.route("/users/:id/posts").get(list)',
      "fastify.get('/users/:id/posts', async () => all);",
      "{ path: '/users/:id/posts', component: Posts },",
      '<Route path="/users/:id/posts" element={<Posts />} />',
      "@Get('users/:id/posts')",
      '@app.route("/users/<int:id>/posts", methods=["GET"])',
      '@router.get("/users/{id}/posts", response_model=Posts)',
      '    path("users/<int:pk>/posts/", views.posts),',
      "    re_path(r'^users/(?P<pk>[^/]+)/posts/$', views.posts),",
      '  get "/users/:id/posts" => "posts#index"',
      "  get 'users/:id/posts', to: 'posts#index'",
      "Route::get('users/{user}/posts', [PostController::class, 'index']);",
      "    #[Route('/users/{id}/posts', methods: ['GET'])]",
      '    @GetMapping("/users/{id}/posts")',
      '    @Path("/users/{id}/posts")',
      '    [HttpGet("users/{id:int}/posts")]',
      'app.MapGet("/users/{id}/posts", List);',
      'r.GET("/users/:id/posts", list)',
      'mux.HandleFunc("GET /users/{id}/posts", list)',
      'r.HandleFunc("/users/{id}/posts", list).Methods("GET")',
      '#[get("/users/<id>/posts")]',
      '        .route("/users/{id}/posts", get(list))',
      '    get("/users/{id}/posts") {',
      '    get "/users/:id/posts", PostController, :index',
      'GET     /users/:id/posts    controllers.Posts.list(id: Long)',
      '  path: /users/{id}/posts',
      '  /users/{id}/posts:',
    ]) {
      assert.equal(lineIn(`\n${line}\n`, 'GET /users/42/posts'), 2, line);
    }
  });

  it('is declared rather than called', () => {
    const declared = worthIn("app.get('/users/:id/posts', list);", 'GET /users/42/posts');
    for (const line of [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
      'const all = await fetch(`/users/${id}/posts`);',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
      'axios.get(`/users/${id}/posts`)',
      'client.get("/users/%s/posts" % id)',
      '<a href="/users/42/posts">Posts</a>',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
      'const url = `/users/${id}/posts`;',
    ]) {
      assert.ok(worthIn(line, 'GET /users/42/posts') < declared / 2, line);
    }
  });

  it('is no other route, key or word', () => {
    for (const line of [
      "app.get('/users/:id', show);",
      "app.get('/users/:id/posts/:post', show);",
      "app.get('/teams/:id/comments', show);",
      "headers.get('posts')",
      "const posts = 'posts';",
      'All posts of users are listed.',
      "app.get('/users/me/posts', mine);",
    ]) {
      assert.equal(worthIn(line, 'GET /users/42/posts'), 0, line);
    }
  });

  it('is put together from what is around it', () => {
    const java = [
      '@RequestMapping("/orders")',
      'class Orders {',
      '  @GetMapping("/list")',
      '  List list() {}',
      '  @GetMapping("/{id}")',
      '  Order show() {}',
      '  @DeleteMapping("/{id}")',
      '  void remove() {}',
      '}',
    ].join('\n');
    assert.equal(lineIn(java, 'GET /orders/list'), 3);
    assert.equal(lineIn(java, 'GET /orders/42'), 5);
    assert.equal(lineIn(java, 'DELETE /orders/42'), 7);
    const express =
      "\nrouter.get('/', list);\nrouter.get('/:id/tags', tags);\nrouter.post('/', add);";
    assert.equal(lineIn(express, 'GET /api/topics/42/tags', 'routes/topics.js'), 3);
    assert.equal(lineIn(express, 'POST /api/topics', 'routes/topics.js'), 4);
    assert.ok(
      worthIn(express, 'GET /api/topics/42/tags', 'routes/topics.js') >
        worthIn(express, 'GET /api/topics/42/tags', 'routes/users.js'),
    );
    assert.equal(lineIn(express, 'POST /api/topics', 'lib/topics.js'), undefined);
  });

  it('is in the group with the name before its own', () => {
    const rust = [
      'scope("/site")',
      '  .route("/icon", post().to(upload_site_icon))',
      'scope("/community")',
      '  .route("/icon", post().to(upload_icon))',
      '  .route("/icon", delete().to(delete_icon))',
    ].join('\n');
    assert.equal(lineIn(rust, 'POST /api/v4/community/icon'), 4);
    assert.equal(lineIn(rust, 'POST /api/v4/site/icon'), 2);
    const go = [
      'site := g.Group("/site")',
      'site.GET("", show)',
      'user := g.Group("/user")',
      'user.GET("", list)',
      'user.POST("", add)',
      'user.GET("/:id", one)',
      'user.DELETE("/:id", remove)',
      'userGroup.GET("/own", own)',
    ].join('\n');
    assert.equal(lineIn(go, 'GET /user'), 4);
    assert.equal(lineIn(go, 'POST /user'), 5);
    assert.equal(lineIn(go, 'DELETE /user/42'), 7);
    assert.equal(lineIn(go, 'GET /site'), 2);
    assert.equal(lineIn(go, 'GET /user/own'), 8);
  });

  it('is a resource with its actions', () => {
    const rails =
      'routes.draw do\n  resources :events do\n    member do\n      post :run\n    end\n  end\nend';
    assert.equal(lineIn(rails, 'GET /events/42/edit'), 2);
    assert.equal(lineIn(rails, 'GET /events/new'), 2);
    assert.equal(lineIn(rails, 'GET /events/42'), 2);
    assert.equal(lineIn(rails, 'POST /events/42/run'), 4);
    assert.equal(lineIn(rails, 'GET /events/42/archive'), undefined);
    const more = `${rails}\nget '/', to: 'home#index'\nget '/:page', to: 'home#page'`;
    assert.equal(lineIn(more, 'GET /events/42/edit'), 2);
    assert.equal(lineIn(more, 'GET /events/42'), 2);
  });

  it('takes a name that nobody declared for a parameter', () => {
    assert.equal(lineIn('\npath("<slug:name>/posts/", posts)', '/acme/posts'), 2);
    assert.ok(
      worthIn('path("acme/posts/", posts)', '/acme/posts') >
        worthIn('path("<slug:name>/posts/", posts)', '/acme/posts'),
    );
    assert.equal(lineIn('\napp.get("/files/*", send)', '/files/a/b/c'), 2);
  });

  it('costs little in a text that repeats its names', () => {
    const start = performance.now();
    for (const text of [
      'users/'.repeat(200_000),
      '"users" '.repeat(150_000),
      '\n"users"'.repeat(150_000),
    ]) {
      placeIn(text, 'GET /users/42/posts');
      placeIn(text, 'GET /users');
    }
    assert.ok(performance.now() - start < 5000);
  });
});
