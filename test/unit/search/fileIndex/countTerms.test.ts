import assert from 'node:assert/strict';
import { CountedTerms } from '../../../../src/search/fileIndex/countTerms';
import { type Term, termsOf } from '../../../../src/search/local/query/terms';
import { segmentOf } from './segmentOf';

/** Hits of each term in the files with these texts. */
function counts(terms: readonly Term[], ...texts: readonly string[]): number[][] {
  const segment = segmentOf(Object.fromEntries(texts.map((text, at) => [`${at}.ts`, text])));
  const all = [...new CountedTerms(terms).countIn(segment)];
  return texts.map((_, at) => all.slice(at * terms.length, (at + 1) * terms.length));
}

const form = (words: readonly string[], isSynonym = false) => ({ words, isSynonym });
const term = (...forms: readonly Term['forms'][number][]): Term => ({
  kind: 'word',
  weight: 1,
  forms,
  positions: [0],
});

describe('the hits of the terms of a query in an index', () => {
  it('are words that begin with a term, in each spelling', () => {
    const [retry, budget] = [termsOf('retry'), termsOf('budget')];
    assert.deepEqual(counts(retry, 'retries retryLimit MAX_RETRY', 'entry'), [[3], [0]]);
    assert.deepEqual(counts([...retry, ...budget], 'budget', 'retry budgets', ''), [
      [0, 1],
      [1, 1],
      [0, 0],
    ]);
  });

  it('count half for a synonym, and once where two forms fit', () => {
    const terms = [term(form(['message']), form(['msg'], true))];
    assert.deepEqual(counts(terms, 'message msg msg', 'msgs'), [[2], [0.5]]);
    const [main, short] = [form(['message']), form(['mess'], true)];
    for (const forms of [
      [main, short],
      [short, main],
    ]) {
      assert.deepEqual(counts([term(...forms)], 'message mess'), [[1.5]]);
    }
  });

  it('of an identifier are as many as its rarest word has', () => {
    const terms = [term(form(['max', 'retry', 'count']))];
    assert.deepEqual(
      counts(terms, 'maxRetryCount max', 'max retry', 'count max_retry count max retry'),
      [[1], [0], [2]],
    );
  });

  it('of a short word are whole words', () => {
    const terms = termsOf('db s3');
    assert.deepEqual(counts(terms, 'db openDb DB_URL dbs', 'dbus feedback s30', 'S3Client s3'), [
      [4, 0],
      [0, 0],
      [0, 2],
    ]);
  });

  it('of a word with letters behind a number are those of its parts', () => {
    const text = 'i18n useI18n I18N_KEYS i180n';
    assert.deepEqual(counts(termsOf('i18n'), text, 'i18 i1', 'in 18n'), [[3], [1], [0]]);
    assert.deepEqual(counts(termsOf('log4j'), 'import log4j', 'log log40'), [[1], [0]]);
    const terms = [term(form(['i18next']))];
    assert.deepEqual(counts(terms, 'i18next I18Next', 'i18n next', 'i18n'), [[2], [1], [0]]);
  });

  it('of an identifier with a number are those of its parts', () => {
    const hook = [term(form(['use', 'i', '18', 'n']))];
    assert.deepEqual(counts(hook, 'useI18n()', 'use i18', 'use', 'i18n'), [[1], [1], [0], [0]]);
    const backend = [term(form(['s', '3', 'backend']))];
    assert.deepEqual(counts(backend, 'S3Backend', 'backend', 's30 backend'), [[1], [0], [0]]);
    const sum = [term(form(['sha', '256', 'sum']))];
    assert.deepEqual(counts(sum, 'sha256Sum', 'SHA_256_SUM', 'sha256', 'sha sum'), [
      [1],
      [1],
      [0],
      [0],
    ]);
  });

  it('of a word are also two parts of an identifier, each once', () => {
    const text = 'new WebSocket(); webSocketServer websockets web_socket';
    assert.deepEqual(counts([term(form(['websocket']))], text, 'web socket'), [[3], [0]]);
    assert.deepEqual(counts([term(form(['web']))], text), [[4]]);
    assert.deepEqual(counts([term(form(['socket']))], text), [[3]]);
    assert.deepEqual(counts([term(form(['webs']))], 'WebSocket webs'), [[2]]);
    assert.deepEqual(counts(termsOf('grpc openai'), 'gRPCServer OpenAI'), [[1, 1]]);
    assert.deepEqual(counts(termsOf('ios'), 'iOS isIOS kiosk'), [[2]]);
  });

  it('of a word that may be several are as many as the rarest of them has', () => {
    const terms = [term({ ...form(['basecontextprovid']), isRunTogether: true })];
    assert.deepEqual(
      counts(terms, 'BaseContextProvider base', 'base_context_providers, context', 'base context'),
      [[1], [1], [0]],
    );
  });

  it('of other scripts are found in small letters and capitals', () => {
    assert.deepEqual(counts([term(form(['ошибка']))], 'ошибка Ошибка ОШИБКА', 'ошиб'), [[3], [0]]);
    assert.deepEqual(counts([term(form(['école']))], 'École école'), [[2]]);
  });

  it('of kana and han are those of the rarest pair', () => {
    const block = [term(form(['数据块']))];
    assert.deepEqual(counts(block, '压缩数据块，数据块。', '数据', '据块 数据'), [[2], [0], [1]]);
    assert.deepEqual(counts([term(form(['試行']))], '再試行する。試行', '試'), [[2], [0]]);
    assert.deepEqual(counts([term(form(['压缩', '数据']))], '压缩数据块', '压缩'), [[1], [0]]);
    assert.deepEqual(counts(termsOf('index'), '検索index用'), [[1]]);
  });

  it('are none for words that no index has', () => {
    assert.deepEqual(counts([term(form(['x']))], 'x xy'), [[0]]);
    assert.deepEqual(counts([term(form(['v', 'x']))], 'v x'), [[0]]);
    assert.deepEqual(counts([], 'word'), [[]]);
  });
});
