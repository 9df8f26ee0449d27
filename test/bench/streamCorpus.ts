// Streams of chat.completion.chunk events, the same ones in every run.

export interface Corpus {
  readonly name: string;
  /** The JSON of each event. */
  readonly events: readonly string[];
  /** The stream as the network hands it out. */
  readonly reads: readonly Uint8Array[];
  readonly bytes: number;
  /** Characters of the answer. */
  readonly size: { readonly text: number; readonly reasoning: number; readonly arguments: number };
}

export interface CorpusOptions {
  readonly name: string;
  readonly events: number;
  /** Share of the texts that hold more than ASCII. */
  readonly wide?: number;
  /** Line ends, comments, ids and data of several lines as hostile servers and proxies send them. */
  readonly isHostile?: boolean;
  /** Bytes of the next read. @param toEnd bytes to the end of the n-th event from here; 0 is the present one */
  readonly readSize: (random: () => number, toEnd: (n: number) => number) => number;
}

const eventCount = 195_000;

/** One event per read mostly; one in twenty is cut. */
export const liveCorpus = (): Corpus =>
  corpusOf({
    name: 'live',
    events: eventCount,
    readSize: (random, toEnd) => {
      const dice = random();
      if (dice < 0.05) return Math.max(1, Math.floor(toEnd(0) * random()));
      return toEnd(dice < 0.65 ? 0 : 1 + Math.floor(random() * 3));
    },
  });

export const bulkCorpus = (): Corpus =>
  corpusOf({ name: 'bulk', events: eventCount, readSize: () => 16 << 10 });

export const hostileCorpus = (): Corpus =>
  corpusOf({
    name: 'hostile',
    events: eventCount,
    wide: 0.35,
    isHostile: true,
    readSize: random => 1 + Math.floor(random() * 1500),
  });

const words = ['the ', 'merged ', 'file ', 'return ', 'await ', 'const ', '\n', '  ', 'value', ';'];
const wideWords = ['größe ', '漢字', 'Ελλάδα ', '😀', 'naïve '];

export function corpusOf({
  name,
  events: count,
  wide = 0,
  isHostile,
  readSize,
}: CorpusOptions): Corpus {
  const random = randomFrom(20_261_121);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const size = { text: 0, reasoning: 0, arguments: 0 };
  const events: string[] = [];
  const parts: Buffer[] = [];
  const ends: number[] = [];
  let bytes = 0;
  for (let at = 0; at < count; at++) {
    const word = (random() < wide ? pick(wideWords) : pick(words)) + pick(words);
    const kind = random();
    let delta: object;
    if (kind < 0.7) {
      delta = { content: word };
      size.text += word.length;
    } else if (kind < 0.85) {
      delta = { reasoning_content: word };
      size.reasoning += word.length;
    } else {
      const piece = JSON.stringify(word);
      delta = {
        tool_calls: [{ index: Math.floor((at * 3) / count), function: { arguments: piece } }],
      };
      size.arguments += piece.length;
    }
    const json = JSON.stringify(chunk(at === count - 1 ? 'stop' : null, delta));
    events.push(json);
    const part = Buffer.from(isHostile ? hostile(json, random) : `data: ${json}\n\n`);
    parts.push(part);
    ends.push((bytes += part.length));
  }
  const usage = { prompt_tokens: 12, completion_tokens: count, total_tokens: count + 12 };
  const last = JSON.stringify({ ...chunk(null, {}), choices: [], usage });
  events.push(last);
  parts.push(Buffer.from(`data: ${last}\n\ndata: [DONE]\n\n`));
  const whole = Buffer.concat(parts);
  const reads: Uint8Array[] = [];
  let event = 0;
  for (let from = 0; from < whole.length; ) {
    while (event < ends.length && (ends[event] ?? 0) <= from) event++;
    const toEnd = (n: number): number => (ends[event + n] ?? whole.length) - from;
    const to = Math.min(whole.length, from + readSize(random, toEnd));
    // A copy: views of one large buffer would keep it, and the network hands out none.
    reads.push(Uint8Array.from(whole.subarray(from, to)));
    from = to;
  }
  return { name, events, reads, bytes: whole.length, size };
}

function chunk(finishReason: string | null, delta: object): object {
  return {
    id: 'chatcmpl-8c1f2a9d47b64e0ab3',
    object: 'chat.completion.chunk',
    created: 1_763_740_800,
    model: 'svc-glm52-744b',
    system_fingerprint: 'fp_3f1b9c',
    service_tier: 'default',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  };
}

function hostile(json: string, random: () => number): string {
  const end = random() < 0.5 ? '\r\n' : '\n';
  const dice = random();
  // Between two tokens, where JSON takes a line end for white space.
  const data = dice < 0.03 ? json.replace(',"object"', `,${end}data: "object"`) : json;
  const before = dice > 0.9 ? `: keep-alive${end}${end}` : dice > 0.8 ? `id: 7${end}` : '';
  return `${before}data: ${data}${end}${end}`;
}

/** Numbers from 0 to below 1, from a linear congruential generator. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
