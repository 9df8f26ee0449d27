import assert from 'node:assert/strict';
import { hasSecret } from '../../../../src/platform/egress/secrets/secretText';
import { withholdSecrets } from '../../../../src/platform/egress/secrets/withhold';
import { ServiceError } from '../../../../src/service/errors';
import { seededRandom } from '../../../support/unit/virtualTime';
import { recordingClient, waysOut } from './ways';

const random = seededRandom(20_261_122);

const digits = '0123456789';
const small = 'abcdefghijklmnopqrstuvwxyz';
const large = small.toUpperCase();
const alphabets: Readonly<Record<string, string>> = {
  n: digits,
  h: `${digits}abcdef`,
  U: digits + large,
  l: digits + small,
  a: digits + small + large,
  w: `${digits}${small}${large}_-`,
  b: `${digits}${small}${large}+/`,
};

interface Made {
  readonly text: string;
  /** The longest part that is chance: without it, nobody can use the rest. */
  readonly core: string;
}

/** `{a36}` becomes 36 letters and digits by chance; the others as {@link alphabets} says. */
function made(shape: string): Made {
  let core = '';
  const text = shape.replaceAll(/\{(\w)(\d+)\}/g, (_, kind: string, count: string) => {
    const alphabet = alphabets[kind] ?? assert.fail(kind);
    const part = Array.from({ length: Number(count) }, () =>
      alphabet.charAt(Math.floor(random() * alphabet.length)),
    ).join('');
    if (part.length > core.length) core = part;
    return part;
  });
  return { text, core };
}

const uuid = '{h8}-{h4}-{h4}-{h4}-{h12}';

/** What the keys of real makers look like, as they document them; the values are chance. */
const makers: Readonly<Record<string, readonly string[]>> = {
  GitHub: [
    'ghp_{a36}',
    'gho_{a36}',
    'ghu_{a36}',
    'ghs_{a36}',
    'ghr_{a76}',
    'github_pat_{a22}_{a59}',
  ],
  GitLab: [
    'glpat-{w20}',
    'gldt-{w20}',
    'glrt-{w20}',
    'glcbt-1a_{w20}',
    'glptt-{h40}',
    'glft-{w20}',
    'glimt-{w25}',
    'glagent-{w50}',
    'gloas-{h64}',
    'glsoat-{w20}',
    'GR1348941{w20}',
  ],
  Bitbucket: ['ATBB{a32}'],
  Atlassian: ['ATATT3{w186}', 'ATCTT3{w60}'],
  npm: ['npm_{a36}'],
  PyPI: ['pypi-AgEIcHlwaS5vcmc{w60}'],
  RubyGems: ['rubygems_{h48}'],
  'Docker Hub': ['dckr_pat_{w27}', 'dckr_oat_{w32}'],
  NuGet: ['oy2{l43}'],
  'crates.io': ['cio{a32}'],
  Sourcegraph: ['sgp_{h40}'],
  SonarQube: ['squ_{h40}', 'sqp_{h40}', 'sqa_{h40}'],
  Artifactory: ['cmVmdGtu{a56}', 'AKCp{a69}'],
  AWS: [
    'AKIA{U16}',
    'ASIA{U16}',
    'ABIA{U16}',
    'ACCA{U16}',
    'aws_secret_access_key = {b40}',
    `amzn.mws.${uuid}`,
    'ABSK{b120}',
  ],
  Google: [
    'AIza{w35}',
    'ya29.{w60}',
    'GOCSPX-{w28}',
    '1//0{w60}',
    '"private_key": "-----BEGIN PRIVATE KEY-----\\n{b60}\\n-----END PRIVATE KEY-----\\n"',
    'AAAA{w7}:{w140}',
  ],
  Azure: [
    '{a3}8Q~{w34}',
    '{a76}AZDO{a4}',
    'AccountKey={b86}==',
    'SharedAccessKey={b43}=',
    'https://a.blob.core.windows.net/c?sv=1&sig={a43}%3D',
  ],
  Alibaba: ['LTAI{a20}'],
  Tencent: ['AKID{a32}'],
  Yandex: ['AQVN{w38}'],
  Scaleway: ['SCW{U17}'],
  DigitalOcean: ['dop_v1_{h64}', 'doo_v1_{h64}', 'dor_v1_{h64}'],
  Databricks: ['dapi{h32}'],
  Heroku: ['HRKU-{w60}'],
  Render: ['rnd_{a32}'],
  Netlify: ['nfp_{a36}'],
  Vercel: ['vcp_{a24}', 'vck_{a56}'],
  PlanetScale: ['pscale_tkn_{w43}', 'pscale_pw_{w43}', 'pscale_oauth_{w43}'],
  Supabase: ['sbp_{h40}', 'sb_secret_{w31}'],
  Neon: ['napi_{a64}'],
  Xata: ['xau_{a36}'],
  MongoDB: ['mdb_sa_sk_{w40}', 'mongodb+srv://app:{a16}@c.mongodb.net/x'],
  Fly: ['fo1_{w43}', 'fm2_{w80}'],
  Buildkite: ['bkua_{l40}'],
  CircleCI: ['CCIPAT_{a22}_{h40}'],
  Tailscale: ['tskey-auth-{a12}CNTRL-{a32}', 'tskey-api-{a12}CNTRL-{a32}'],
  Scalingo: ['tk-us-{w48}'],
  Cloudflare: ['v1.0-{h24}-{h146}'],
  OpenShift: ['sha256~{w43}'],
  HashiCorp: ['hvs.{w90}', 'hvb.{w120}', '{a14}.atlasv1.{w67}'],
  OpenAI: ['sk-{a48}', 'sk-proj-{w74}', 'sk-svcacct-{w74}', 'sk-admin-{w74}'],
  Anthropic: ['sk-ant-api03-{w93}AA', 'sk-ant-admin01-{w93}AA'],
  OpenRouter: ['sk-or-v1-{h64}'],
  'Hugging Face': ['hf_{a34}', 'api_org_{a34}'],
  Groq: ['gsk_{a52}'],
  xAI: ['xai-{a80}'],
  Perplexity: ['pplx-{a48}'],
  Replicate: ['r8_{a37}'],
  Fireworks: ['fw_{a24}'],
  NVIDIA: ['nvapi-{w64}'],
  Tavily: ['tvly-{a32}', 'tvly-dev-{a32}'],
  LangSmith: ['lsv2_pt_{h32}_{h10}', 'lsv2_sk_{h32}_{h10}'],
  Langfuse: [`sk-lf-${uuid}`],
  Pinecone: ['pcsk_{a6}_{a63}'],
  Cerebras: ['csk-{l48}'],
  Jina: ['jina_{a60}'],
  Firecrawl: ['fc-{h32}'],
  E2B: ['e2b_{h40}'],
  'Weights & Biases': ['wandb_v1_{w77}'],
  Slack: [
    'xoxb-{n12}-{n12}-{a24}',
    'xoxp-{n12}-{n12}-{n12}-{h32}',
    'xoxa-2-{n12}-{h20}',
    'xapp-1-A{U10}-{n13}-{h64}',
    'xoxe.xoxp-1-{w160}',
    'https://hooks.slack.com/services/T{U8}/B{U8}/{a24}',
  ],
  Discord: ['M{a23}.{w6}.{w27}', 'https://discord.com/api/webhooks/{n18}/{w68}'],
  'Microsoft Teams': [
    `https://a.webhook.office.com/webhookb2/${uuid}@${uuid}/IncomingWebhook/{h32}/${uuid}`,
  ],
  Telegram: ['{n10}:AA{w33}'],
  Twilio: ['SK{h32}'],
  SendGrid: ['SG.{w22}.{w43}'],
  Mailgun: ['key-{h32}'],
  Mailchimp: ['{h32}-us21'],
  Brevo: ['xkeysib-{h64}-{a16}', 'xsmtpsib-{h64}-{a16}'],
  Resend: ['re_{a8}_{a24}'],
  Twitter: ['AAAAAAAAAAAAAAAAAAAAA{a26}%3D{a45}'],
  Facebook: ['EAACEdEose0cBA{a80}'],
  Stripe: ['sk_live_{a24}', 'sk_test_{a24}', 'rk_live_{a24}', 'whsec_{b32}'],
  Square: ['sq0atp-{w22}', 'sq0csp-{w43}', 'EAAA{w60}'],
  PayPal: ['access_token$production${l16}${h32}'],
  Plaid: [`access-production-${uuid}`],
  Shopify: ['shpat_{h32}', 'shpca_{h32}', 'shppa_{h32}', 'shpss_{h32}'],
  Razorpay: ['rzp_live_{a14}'],
  Flutterwave: ['FLWSECK-{h32}-X'],
  EasyPost: ['EZAK{a54}'],
  Shippo: ['shippo_live_{h40}'],
  Duffel: ['duffel_live_{w43}'],
  Paddle: ['pdl_live_apikey_{l26}_{a22}_{a3}'],
  Figma: ['figd_{w40}'],
  Linear: ['lin_api_{a40}', 'lin_oauth_{a64}'],
  Notion: ['ntn_{n11}{a35}', 'secret_{a43}'],
  Postman: ['PMAK-{h24}-{h34}'],
  Doppler: ['dp.pt.{a43}', 'dp.st.prd.{a43}', 'dp.sa.{a43}'],
  Pulumi: ['pul-{h40}'],
  'New Relic': ['NRAK-{U27}', 'NRII-{w32}'],
  Grafana: ['glc_{b60}', 'glsa_{a32}_{h8}'],
  Contentful: ['CFPAT-{w43}'],
  Sentry: ['sntrys_{b80}', 'sntryu_{h64}'],
  PostHog: ['phx_{a43}'],
  '1Password': ['ops_eyJ{b250}', 'A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}'],
  Typeform: ['tfp_{a44}'],
  Airtable: ['pat{a14}.{h64}'],
  Asana: ['1/{n16}:{h32}'],
  HubSpot: [`pat-na1-${uuid}`],
  LaunchDarkly: [`sdk-${uuid}`, `api-${uuid}`],
  Dynatrace: ['dt0c01.{U24}.{U64}'],
  ReadMe: ['rdme_{l70}'],
  Prefect: ['pnu_{a36}'],
  Mapbox: ['sk.eyJ{a80}.{w22}'],
  Dropbox: ['sl.B{w135}'],
  age: ['AGE-SECRET-KEY-1{U58}'],
  'web tokens': ['eyJ{w33}.eyJ{w80}.{w43}'],
  'private keys': [
    '-----BEGIN RSA PRIVATE KEY-----\n{b64}\n{b64}\n-----END RSA PRIVATE KEY-----',
    '-----BEGIN OPENSSH PRIVATE KEY-----\n{b64}\n-----END OPENSSH PRIVATE KEY-----',
    '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{b64}\n-----END PGP PRIVATE KEY BLOCK-----',
    '-----BEGIN EC PRIVATE KEY-----\n{b64}',
    'PuTTY-User-Key-File-3: ssh-ed25519\nComment: me@a\nPrivate-Lines: 2\n{b64}\n{b40}',
    '$ANSIBLE_VAULT;1.1;AES256\n{h80}\n{h78}',
  ],
  'logins of tools': [
    '{"auths":{"r.example":{"auth":"{b32}"}}}',
    'machine a.example login me password {a12}',
    'me:$apr1${a8}${a22}',
    'me:$2y$10${a53}',
    '//registry.example/:_authToken={a36}',
    'Authorization: Basic {b24}',
    'Authorization: Bearer {w40}',
    'curl -u me https://me:{a12}@a.example',
    'redis://default:{a20}@cache.internal:6379',
    'amqp://guest:{a12}@mq.internal',
  ],
  settings: [
    'DB_PASSWORD={a14}1a',
    'password: "{a14}1a"',
    'spring.datasource.password={a14}1a',
    '<add key="x" connectionString="Server=a;Pwd={a14}1a;" />',
    'client_secret: {a30}1a',
    '"apiKey": "{a30}1a"',
    'const authToken = `{a30}1a`;',
    'encryption_key={h64}1a',
    'SECRET_KEY_BASE={h128}',
    'private-key: {b40}1a',
    'export SIGNING_KEY={a32}1a',
    'passphrase = "{a20}1a"',
    'MASTER_KEY={h32}1a',
    'aws_session_token="{b120}1a"',
    'credentials={a20}1a',
  ],
};

const planted = Object.entries(makers).flatMap(([maker, shapes]) =>
  shapes.map(shape => ({ maker, ...made(shape) })),
);

describe('planted keys of many makers', () => {
  it('are at least 200, no two alike, of at least 80 makers', () => {
    assert.ok(planted.length >= 200, `${planted.length}`);
    assert.equal(new Set(planted.map(({ text }) => text)).size, planted.length);
    assert.ok(Object.keys(makers).length >= 80, `${Object.keys(makers).length}`);
  });

  it('are recognised, each of them', () => {
    const missed = planted.filter(({ text }) => !hasSecret(`const a = 1;\n${text}\nend`));
    assert.deepEqual(missed, []);
  });

  it('leave nothing of themselves in a text that they are withheld from', () => {
    for (const { maker, text, core } of planted)
      for (const around of [text, `x "${text}" y`, `a\n  ${text}\nb`]) {
        const { text: left } = withholdSecrets(around);
        assert.ok(!left.includes(core), `${maker}: ${left}`);
        assert.equal(hasSecret(left), false, `${maker}: ${left}`);
      }
  });

  it('leave by none of the ways out', async () => {
    let tried = 0;
    for (const { maker, text, core } of planted) {
      const { sent, gated } = recordingClient();
      for (const [way, call] of Object.entries(waysOut(gated, `first line\n${text}\nlast line`))) {
        tried++;
        await assert.rejects(call(), ServiceError, way);
        for (const request of sent.splice(0))
          assert.ok(!request.includes(core), `${way}, ${maker}: ${text}`);
      }
    }
    assert.ok(tried >= 200 * 16, `${tried}`);
  });
});

describe('what only looks like a key', () => {
  for (const text of [
    '<div class="sk-folding-cube sk-loading-indicator-large">',
    'CONSTRAINT pk_user_accounts_history PRIMARY KEY (id)',
    'import { api_keys_1 } from "./api-keys";',
    'exports.Credentials = credentials_1.Credentials;',
    'readonly tokens: Int32Array;',
    "const TOKEN_ENDPOINT = '/v1/oauth/token';",
    'secret_scanning_alert_location_created_event_payload',
    'npm_config_something_that_is_rather_long_for_a_name',
    'integrity: sha512-Gk5lbnQtbGVuZ3RoLWhhc2gtb2YtYS1wYWNrYWdlLWZpbGU=',
    'commit 6749ebff5bbd66fbcd791d9dc1dc04ae9a347030',
    'id: 123e4567-e89b-42d3-a456-426614174000',
    '<svg><path d="M10 10L20 20.5.5.5C30 30 40 40 50 50z"/></svg>',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4',
    'the api-version and the sdk-version of this re_export_of_everything_in_it',
    'color: var(--sk-color-primary-background-hover)',
  ])
    it(`is let through: ${text.slice(0, 50)}`, () => assert.equal(hasSecret(text), false));
});
