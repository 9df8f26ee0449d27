import assert from 'node:assert/strict';
import { hasCodeExtension, kindOf, requestedKindsOf } from '../../../../src/search/local/paths';

describe('the kind of a file', () => {
  for (const [kind, files] of Object.entries({
    source:
      'src/a.ts a.PY views/user/edit.tpl templates/home.tmpl templates/base.html.twig app/views/a.html.haml src/card.hbs Views/Home.cshtml Main.xaml kernels/softmax.cu shaders/blur.comp lib/parse.cr src/Main.elm rtl/alu.sv player.gd schema.graphql schema.prisma app/src/main/res/layout-land/player.xml res/drawable/icon.xml',
    test: 'src/a.test.ts tests/a.py test/fixtures/Dockerfile spec/views/edit.haml',
    docs: 'README.md docs/a.py docs/Makefile notes.txt .changeset/big-cats.md',
    aside: 'examples/Dockerfile samples/a.twig',
    generated: 'vendor/a.go src/a.pb.go locales/de.json',
    data: 'data/users.json config/app.yml res/values/colors.xml a.d/b Release tpl',
    tooling:
      '.github/workflows/test.yml .github/actions/a/index.ts .eslintrc.cjs packages/a/.babelrc Dockerfile docker/web.Dockerfile Dockerfile.dev docker-compose.prod.yml compose.yaml Makefile CMakeLists.txt cmake/FindX.cmake Gemfile Jenkinsfile pom.xml App.csproj pyproject.toml requirements-dev.txt package.json tsconfig.build.json Cargo.toml CODEOWNERS',
  })) {
    it(`is ${kind}`, () => {
      for (const file of files.split(' ')) assert.equal(kindOf(file), kind, file);
    });
  }

  it('is asked for by the words of a query', () => {
    for (const query of [
      'which workflow publishes to npm?',
      'docker image without ffmpeg',
      'PR template',
      'lint on windows in CI',
    ])
      assert.ok(requestedKindsOf(query).has('tooling'), query);
    for (const query of ['retry an upload', 'linty things', 'the composer window'])
      assert.equal(requestedKindsOf(query).size, 0, query);
  });
});

describe('what is typed', () => {
  it('is a file by its extension, unless that is rather the name of a member', () => {
    for (const name of ['home.tmpl', 'base.html.twig', 'softmax.cu', 'a.h', 'A.TS'])
      assert.ok(hasCodeExtension(name), name);
    for (const name of ['req.res', 'self.inc', 'app.move', 'ts', 'event.trigger'])
      assert.ok(!hasCodeExtension(name), name);
  });
});
