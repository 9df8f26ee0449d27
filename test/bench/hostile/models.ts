import { pickRequest } from '../../../src/models/auto';
import { ToolNames } from '../../../src/models/format/toolNames';
import type { Parser } from './parser';
import { prose } from './texts';

export const modelParsers: readonly Parser[] = [
  {
    name: 'tool names',
    tokens: ['_', '-', '.', '__', 'a_', '_h', '0', 'é'],
    run: text => new ToolNames().toWire(text),
    ordinary: 'mcp_server.read_file ',
  },
  {
    name: 'prompts for the router',
    tokens: ['<userRequest>', '</userRequest>', '<userRequest', '<', '>'],
    run: text =>
      pickRequest(
        {
          turns: [{ role: 'user', parts: [{ type: 'text', text }] }],
          tools: [],
          toolMode: 'auto',
        },
        [],
        10,
      ),
    ordinary: `${prose}<userRequest>${prose}</userRequest>`,
  },
];
