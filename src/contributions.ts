import { contributions as apply } from './apply/contributions';
import { contributions as external } from './apply/external/contributions';
import { contributions as chat } from './chat/contributions';
import { contributions as compact } from './compact/contributions';
import { contributions as connection } from './connection/contributions';
import { contributions as costs } from './costs/contributions';
import { contributions as endpoints } from './endpoints/contributions';
import { contributions as jobs } from './jobs/contributions';
import { contributions as models } from './models/contributions';
import type { CommandsOf, SettingsOf } from './platform/commands/contribute';
import { contributions as platform } from './platform/contributions';
import { contributions as egress } from './platform/egress/contributions';
import { contributions as playground } from './playground/contributions';
import { contributions as reflex } from './reflex/contributions';
import { contributions as search } from './search/contributions';
import { contributions as welcome } from './welcome/contributions';

/** What package.json is generated from. Views appear in this order. */
export const contributions = {
  platform,
  apply,
  external,
  search,
  compact,
  endpoints,
  jobs,
  reflex,
  playground,
  models,
  chat,
  costs,
  connection,
  egress,
  welcome,
} as const;

// The ids of commands and settings, as types that any file can name without importing a feature.
declare module './platform/commands/contribute' {
  interface Commands
    extends CommandsOf<typeof apply>,
      CommandsOf<typeof compact>,
      CommandsOf<typeof connection>,
      CommandsOf<typeof costs>,
      CommandsOf<typeof egress>,
      CommandsOf<typeof endpoints>,
      CommandsOf<typeof external>,
      CommandsOf<typeof jobs>,
      CommandsOf<typeof models>,
      CommandsOf<typeof playground>,
      CommandsOf<typeof reflex>,
      CommandsOf<typeof search>,
      CommandsOf<typeof welcome> {}

  interface Settings
    extends SettingsOf<typeof apply>,
      SettingsOf<typeof compact>,
      SettingsOf<typeof connection>,
      SettingsOf<typeof costs>,
      SettingsOf<typeof endpoints>,
      SettingsOf<typeof external>,
      SettingsOf<typeof models>,
      SettingsOf<typeof reflex>,
      SettingsOf<typeof search> {}
}
