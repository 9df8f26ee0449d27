import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type AgentCli, installFolder, writeFileIn } from './cli';

export { installFolder } from './cli';

const apiKey = 'scripted-key';

export const claude: AgentCli = {
  name: 'claude',
  package: '@anthropic-ai/claude-code@2.1.332',
  bin: 'claude',
  // With a terminal, it would ask about a theme, the key and the folder first.
  setUp: ({ home, project }) => {
    if (existsSync(path.join(home, '.claude.json'))) return;
    const about = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [apiKey], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true } },
    };
    writeFileIn(home, '.claude.json', JSON.stringify(about));
  },
  env: ({ modelUrl }) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: apiKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
  }),
  args: prompt => [
    '-p',
    prompt,
    '--model=claude-sonnet-4-5',
    '--permission-mode=acceptEdits',
    '--allowedTools=Bash,Write,Edit,Read,Agent,Task',
  ],
  resume: (prompt, session, place) => [...claude.args(prompt, place), `--resume=${session}`],
};

export const codex: AgentCli = {
  name: 'codex',
  package: '@openai/codex@0.171.0',
  bin: 'codex',
  // A model that the program knows, so that it offers apply_patch.
  setUp: ({ home, modelUrl, project }) =>
    writeFileIn(
      home,
      '.codex/config.toml',
      `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[projects.${JSON.stringify(project)}]
trust_level = "trusted"
`,
    ),
  env: () => ({ SCRIPTED_KEY: apiKey }),
  args: prompt => ['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', prompt],
  resume: (prompt, session, place) =>
    codex.args(prompt, place).toSpliced(-1, 1, 'resume', session, prompt),
};

/** With a model that calls all tools from code. */
export const codexWithCode: AgentCli = {
  ...codex,
  args: (prompt, place) => codex.args(prompt, place).toSpliced(1, 0, '--model=gpt-6-sol'),
};

/** With hooks that the user has not confirmed, which the program skips. */
export const codexUntrusted: AgentCli = {
  ...codex,
  args: prompt => ['exec', '--skip-git-repo-check', prompt],
};

const opencodeSettings = (modelUrl: string): string =>
  JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    snapshot: false,
    model: 'scripted/scripted',
    small_model: 'scripted/scripted',
    permission: { bash: 'allow', edit: 'allow' },
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${modelUrl}/v1`, apiKey },
        models: { scripted: { limit: { context: 128_000, output: 8000 } } },
      },
    },
  });

export const opencode: AgentCli = {
  name: 'opencode',
  package: 'opencode-ai@1.18.33',
  bin: 'opencode',
  setUp: ({ home, modelUrl }) =>
    writeFileIn(home, '.config/opencode/opencode.json', opencodeSettings(modelUrl)),
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  }),
  args: prompt => ['run', prompt],
};

/** Made from opencode. */
export const kilo: AgentCli = {
  name: 'kilo',
  package: '@kilocode/cli@7.7.7',
  bin: 'kilo',
  setUp: ({ home, modelUrl }) =>
    writeFileIn(home, '.config/kilo/kilo.json', opencodeSettings(modelUrl)),
  env: () => ({
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_DEFAULT_PLUGINS: '1',
    KILO_DISABLE_LSP_DOWNLOAD: '1',
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_TELEMETRY_LEVEL: 'off',
  }),
  args: prompt => ['run', prompt],
};

export const gemini: AgentCli = {
  name: 'gemini',
  package: '@google/gemini-cli@0.61.0',
  bin: 'gemini',
  settings: {
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  },
  env: ({ modelUrl }) => ({
    GEMINI_API_KEY: apiKey,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GOOGLE_GEMINI_BASE_URL: modelUrl,
  }),
  args: prompt => ['-m', 'gemini-2.5-flash', '--approval-mode', 'yolo', '-p', prompt],
  resume: (prompt, session, place) => [...gemini.args(prompt, place), '--resume', session],
};

export const qwen: AgentCli = {
  name: 'qwen',
  package: '@qwen-code/qwen-code@0.24.4',
  bin: 'qwen',
  settings: {
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  },
  env: ({ modelUrl }) => ({
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_MODEL: 'scripted',
    // It ignores NO_PROXY.
    HTTP_PROXY: '',
    HTTPS_PROXY: '',
  }),
  args: prompt => ['--auth-type', 'openai', '--yolo', '-p', prompt],
  resume: (prompt, session, place) => [...qwen.args(prompt, place), '--resume', session],
};

export const copilot: AgentCli = {
  name: 'copilot',
  package: '@github/copilot@1.0.102',
  bin: 'copilot',
  env: ({ modelUrl }) => ({
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_MODEL: 'scripted',
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_API_KEY: apiKey,
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
  }),
  args: prompt => ['--allow-all-tools', '--no-auto-update', '-p', prompt],
};

export const continueCli: AgentCli = {
  name: 'continue',
  package: '@continuedev/cli@1.5.47',
  bin: 'cn',
  setUp: ({ home, modelUrl }) =>
    writeFileIn(
      home,
      '.continue/config.yaml',
      `name: scripted
version: 0.0.1
schema: v1
models:
  - name: scripted
    provider: openai
    model: scripted
    apiBase: ${modelUrl}/v1
    apiKey: ${apiKey}
    roles: [chat]
    capabilities: [tool_use]
    defaultCompletionOptions:
      contextLength: 128000
`,
    ),
  env: () => ({
    CONTINUE_CLI_ENABLE_TELEMETRY: '0',
    CONTINUE_METRICS_ENABLED: '0',
    CONTINUE_TELEMETRY_ENABLED: '0',
  }),
  args: (prompt, { home }) => [
    '--config',
    path.join(home, '.continue/config.yaml'),
    '--auto',
    '-p',
    prompt,
  ],
};

const [nodeMajor = 0, nodeMinor = 0] = process.versions.node.split('.').map(Number);
/** From version 1 on, which has another owner, it needs Node.js 22.19. */
const runsPi1 = nodeMajor > 22 || (nodeMajor === 22 && nodeMinor >= 19);

export const pi: AgentCli = {
  name: 'pi',
  package: runsPi1
    ? '@earendil-works/pi-coding-agent@1.6.0'
    : '@mariozechner/pi-coding-agent@0.73.1',
  bin: 'pi',
  setUp: ({ home, modelUrl }) =>
    writeFileIn(
      home,
      '.pi/agent/models.json',
      JSON.stringify({
        providers: {
          scripted: {
            baseUrl: `${modelUrl}/v1`,
            apiKey,
            api: 'openai-completions',
            models: [
              {
                id: 'scripted',
                name: 'Scripted',
                reasoning: false,
                input: ['text'],
                contextWindow: 128_000,
                maxTokens: 8000,
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              },
            ],
          },
        },
      }),
    ),
  env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
  args: prompt => ['--offline', '--provider', 'scripted', '--model', 'scripted', '-p', prompt],
};

export const cline: AgentCli = {
  name: 'cline',
  package: 'cline@3.0.65',
  bin: 'cline',
  setUp: ({ home, modelUrl }) => {
    const provider = 'openai-compatible';
    const settings = { provider, apiKey, model: 'scripted', baseUrl: `${modelUrl}/v1` };
    const providers = {
      [provider]: { settings, updatedAt: '2026-01-01T00:00:00.000Z', tokenSource: 'manual' },
    };
    writeFileIn(
      home,
      '.cline/data/settings/providers.json',
      JSON.stringify({ version: 1, lastUsedProvider: provider, modes: {}, providers }),
    );
  },
  env: () => ({ CLINE_TELEMETRY_DISABLED: '1', CLINE_NO_AUTO_UPDATE: '1', DO_NOT_TRACK: '1' }),
  args: prompt => [...withModel, prompt],
};
const withModel = ['-P', 'openai-compatible', '-m', 'scripted'];

export const kimi: AgentCli = {
  name: 'kimi',
  package: '@moonshot-ai/kimi-code@2.1.0',
  bin: 'kimi',
  setUp: ({ home, modelUrl, project }) => {
    // With a terminal, it would ask about the folder first.
    const hash = createHash('sha256').update(project).digest('hex').slice(0, 12);
    const trusted = JSON.stringify({ root: project, trustedAt: 1 });
    writeFileIn(home, `.kimi-code/workspace-trust/wd_${path.basename(project)}_${hash}`, trusted);
    writeFileIn(
      home,
      '.kimi-code/config.toml',
      `default_model = "scripted"
telemetry = false
[providers.scripted]
type = "openai"
base_url = "${modelUrl}/v1"
api_key = "${apiKey}"
[models.scripted]
provider = "scripted"
model = "scripted"
max_context_size = 128000
max_output_size = 8000
capabilities = ["tool_use"]
`,
    );
  },
  env: () => ({ KIMI_CODE_NO_AUTO_UPDATE: '1', KIMI_DISABLE_TELEMETRY: '1' }),
  args: prompt => ['-p', prompt],
};

/** Made from pi; it runs in Bun. */
export const ohMyPi: AgentCli = {
  name: 'omp',
  package: '@oh-my-pi/pi-coding-agent@18.2.3',
  needs: ['bun@1.4.5'],
  bin: 'omp',
  setUp: ({ home, modelUrl }) =>
    writeFileIn(
      home,
      '.omp/agent/models.yml',
      `providers:
  scripted:
    baseUrl: ${modelUrl}/v1
    apiKey: ${apiKey}
    api: openai-completions
    models:
      - id: scripted
        name: Scripted
        reasoning: false
        input: [text]
        contextWindow: 128000
        maxTokens: 8000
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
`,
    ),
  env: () => ({
    PATH: [path.join(installFolder(ohMyPi), 'node_modules/.bin'), process.env['PATH']].join(
      path.delimiter,
    ),
    PI_OFFLINE: '1',
  }),
  args: prompt => ['--model', 'scripted/scripted', '--no-title', '--auto-approve', '-p', prompt],
};

/** Needs no account where the model is the user's own. */
export const droid: AgentCli = {
  name: 'droid',
  package: 'droid@0.215.0',
  bin: 'droid',
  setUp: ({ home, modelUrl }) =>
    writeFileIn(
      home,
      '.factory/settings.json',
      JSON.stringify({
        customModels: [
          {
            model: 'scripted',
            displayName: 'Scripted',
            baseUrl: `${modelUrl}/v1`,
            apiKey,
            provider: 'generic-chat-completion-api',
            maxOutputTokens: 8000,
          },
        ],
      }),
    ),
  env: () => ({ FACTORY_API_KEY: apiKey }),
  args: prompt => ['exec', '--model', 'custom:scripted', '--auto', 'high', prompt],
};

export const grok: AgentCli = {
  name: 'grok',
  package: '@xai-official/grok@1.0.41',
  bin: 'grok',
  setUp: ({ home, modelUrl }) =>
    writeFileIn(
      home,
      '.grok/config.toml',
      `[models]
default = "scripted"
[model.scripted]
model = "scripted"
base_url = "${modelUrl}/v1"
api_key = "${apiKey}"
context_window = 128000
`,
    ),
  env: () => ({}),
  args: prompt => ['--always-approve', '-p', prompt],
};

export const nanocoder: AgentCli = {
  name: 'nanocoder',
  package: '@nanocollective/nanocoder@1.30.0',
  bin: 'nanocoder',
  setUp: ({ home, modelUrl }) =>
    writeFileIn(
      home,
      '.config/nanocoder/agents.config.json',
      JSON.stringify({
        nanocoder: {
          providers: [
            { name: 'scripted', baseUrl: `${modelUrl}/v1`, apiKey, models: ['scripted'] },
          ],
        },
      }),
    ),
  env: () => ({ NANOCODER_TRUST_DIRECTORY: '1' }),
  args: prompt => ['--provider', 'scripted', '--model', 'scripted', 'run', prompt],
};

export const allClis: readonly AgentCli[] = [
  claude,
  codex,
  opencode,
  kilo,
  gemini,
  qwen,
  copilot,
  continueCli,
  pi,
  cline,
  kimi,
  ohMyPi,
  droid,
  grok,
  nanocoder,
];

/** Whether `npm run live` was asked for an agent. */
export const isChosen = ({ name }: AgentCli): boolean =>
  (process.env['LIVE_AGENTS'] ?? '').split(',').includes(name);
