import { all, insertAfter, insertBefore, type MergeCase, remove, replace } from './mergeCase';

const text = `name: release

on:
  push:
    tags:
      - 'v*'
  workflow_dispatch:

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm ci
      - run: npm test

  build:
    needs: test
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm ci
      - run: npm run build
      - uses: actions/upload-artifact@v4
        with:
          name: dist
          path: dist

  publish:
    needs: build
    runs-on: ubuntu-latest
    permissions:
      contents: write
    steps:
      - uses: actions/download-artifact@v4
        with:
          name: dist
      - run: ./publish.sh
        env:
          TOKEN: secret
`;

export const yaml: MergeCase = {
  path: '.github/workflows/release.yml',
  text,
  edits: {
    'adds a step after the tests': insertAfter(
      '      - run: npm test\n',
      '      - run: npm run lint\n',
    ),
    'limits the time of a job': replace(
      '    needs: build\n',
      '    needs: build\n    timeout-minutes: 10\n',
    ),
    'runs on main as well': replace(
      "    tags:\n      - 'v*'\n",
      "    branches:\n      - main\n    tags:\n      - 'v*'\n",
    ),
    'adds a job': insertBefore(
      '  publish:\n',
      '  audit:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm audit\n\n',
    ),
    'renames the artifact in both jobs': all(
      replace(
        '          name: dist\n          path: dist\n',
        '          name: package\n          path: dist\n',
      ),
      replace(
        '          name: dist\n      - run: ./publish.sh\n',
        '          name: package\n      - run: ./publish.sh\n',
      ),
    ),
    'removes a trigger': remove('  workflow_dispatch:\n'),
  },
};
