import { createInterface } from 'node:readline';
import { isRecord, parseJson } from '../../../src/base/typeGuards';
import { type AgentCli, type Place, type Running, startWith } from '../agents/cli';

type Message = Readonly<Record<string, unknown>>;

/** An agent that talks to an editor, over the Agent Client Protocol. */
export class EditorConnection {
  readonly #running: Running;
  readonly #waiting = new Map<number, (answer: Message) => void>();
  #count = 0;

  private constructor(running: Running) {
    this.#running = running;
    const { stdout } = running.child;
    if (!stdout) throw new Error('no output');
    createInterface({ input: stdout }).on('line', line => this.#receive(parseJson(line)));
  }

  static async open(
    cli: AgentCli,
    args: readonly string[],
    place: Place,
  ): Promise<EditorConnection> {
    const connection = new EditorConnection(startWith(cli, args, place, { keepsInput: true }));
    await connection.ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
    return connection;
  }

  /** @returns the result; rejects when there is none, or the program ends. */
  async ask(method: string, params: object): Promise<Message> {
    const id = ++this.#count;
    const answered = new Promise<Message>(resolve => this.#waiting.set(id, resolve));
    this.#send({ id, method, params });
    const ended = this.#running.ended.then(({ err }) => ({ error: `ended: ${err}` }));
    const { result, error }: Message = await Promise.race([answered, ended]);
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return isRecord(result) ? result : {};
  }

  /** One turn. @param session to go on with; a new one when left out. */
  async say(text: string, cwd: string, session?: string): Promise<void> {
    const about = { cwd, mcpServers: [] };
    if (session !== undefined) await this.ask('session/load', { ...about, sessionId: session });
    const sessionId = session ?? (await this.ask('session/new', about))['sessionId'];
    await this.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  }

  async close(): Promise<void> {
    this.#running.child.stdin?.end();
    await this.#running.ended;
  }

  #receive(message: unknown): void {
    if (!isRecord(message)) return;
    const { id, method, params } = message;
    if (method === undefined) {
      this.#waiting.get(Number(id))?.(message);
    } else if (method === 'session/request_permission') {
      const options: unknown = isRecord(params) ? params['options'] : undefined;
      const [first]: unknown[] = Array.isArray(options) ? options : [];
      const optionId = isRecord(first) ? first['optionId'] : undefined;
      this.#send({ id, result: { outcome: { outcome: 'selected', optionId } } });
    }
  }

  #send(message: object): void {
    this.#running.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
