import assert from 'node:assert/strict';
import { handlerIn, handlersIn } from '../../../../../src/search/local/text/handlers';

/** The handlers that the second line of a text names, each with what it is in. */
const told = (line: string, path = '/posts', above = ''): string[] =>
  handlersIn(`${above}\n${line}\nrest;\n`, 2, path).map(({ owners, name }) =>
    [...owners, name].join(' '),
  );

describe('the handlers of a route', () => {
  it('are named by the line that declares it', () => {
    for (const [line, handler] of [
      ['get "/posts" => "posts#index"', 'posts_controller index'],
      ["get '/posts', to: 'posts#index'", 'posts_controller index'],
      ["Route::get('/posts', [PostController::class, 'index']);", 'PostController index'],
      ["Route::get('/posts', 'PostController@index');", 'PostController index'],
      ["Route::get('/posts', ListPostsController::class);", 'ListPostsController'],
      ['get "/posts", PostController, :index', 'PostController index'],
      ["app.get('/posts', controllers.posts.list);", 'controllers posts list'],
      ["path('/posts', views.list_posts, name='x'),", 'views list_posts'],
      ['path("/posts", PostList.as_view()),', 'PostList'],
      ['r.GET("/posts", postHandler.List)', 'postHandler List'],
      ['.route("/posts", get().to(list_posts))', 'list_posts'],
    ] as const) {
      assert.ok(told(line).includes(handler), `${line}: ${told(line).join()}`);
    }
  });

  it('may be in the next lines of a call', () => {
    assert.deepEqual(handlersIn('path(\n  "/posts",\n  views.all,\n  name="a",\n)', 2, '/posts'), [
      { owners: ['views'], name: 'all' },
    ]);
    assert.deepEqual(told("app.get('/posts', all);\nother.thing();"), []);
  });

  it('are those of a resource in Rails', () => {
    assert.deepEqual(told('resources :posts do', ':posts'), ['posts_controller ']);
    const above = 'draw do\n  resources :tags\n  resources :posts do\n    member do';
    assert.deepEqual(
      handlersIn(`${above}\n      post :publish\n`, 5, ':publish').map(one => one.owners[0]),
      ['posts_controller'],
    );
    assert.deepEqual(told('post :publish', ':publish'), []);
  });

  it('are below an annotation, which names none', () => {
    assert.deepEqual(told("@app.route('/posts', endpoint=views.list_posts)"), []);
    assert.deepEqual(told('[HttpGet("/posts", Name = Names.All)]'), []);
    assert.deepEqual(told('#[get("/posts", rank = rank.one)]'), []);
  });
});

const lineIn = (text: string, file: string, owners: string[], name: string): number | undefined =>
  handlerIn(text, file, { owners, name })?.line;

describe('the file of a handler', () => {
  it('declares it, and is what it is in', () => {
    const ruby = 'class PostsController\n  def index\n  end\nend\n';
    assert.equal(
      lineIn(ruby, 'app/controllers/posts_controller.rb', ['posts_controller'], 'index'),
      2,
    );
    assert.equal(lineIn(ruby, 'app/models/post.rb', ['posts_controller'], 'index'), undefined);
    const python = 'import x\n\ndef list_posts(request):\n    pass\n';
    assert.equal(lineIn(python, 'blog/views.py', ['views'], 'list_posts'), 3);
    assert.equal(lineIn('list_posts()\n', 'blog/views.py', ['views'], 'list_posts'), undefined);
    assert.equal(lineIn('def all(x):\n', 'blog/models.py', ['views'], 'all'), undefined);
  });

  it('fits better the more of what it is in is in its path', () => {
    const handler = { owners: ['controllers', 'write', 'posts'], name: 'list' };
    const fit = (file: string): number =>
      handlerIn('function list() {\n}\n', file, handler)?.fit ?? 0;
    assert.ok(fit('src/controllers/write/posts.js') > fit('src/controllers/posts.js'));
    assert.ok(fit('src/controllers/posts.js') > fit('src/api/posts.js'));
    assert.equal(fit('src/list.js'), 0);
  });

  it('is a controller of its name, also without the method', () => {
    const handler = { owners: ['PostController'], name: 'missing' };
    assert.equal(
      handlerIn('class PostController {}\n', 'src/PostController.php', handler)?.line,
      1,
    );
    assert.equal(
      handlerIn('class Post {}\n', 'src/Post.php', { owners: ['Post'], name: 'x' }),
      undefined,
    );
  });
});
