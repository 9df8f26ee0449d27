import { previewContributions } from '../../src/apply/review/editor/previewLanguages';
import { pageContributions } from '../../src/apply/review/page/pageLanguages';
import { receiptContributions } from '../../src/compact/receipt/receiptLanguage';
import { contributions } from '../../src/contributions';
import { commandTables, settingTables } from './docs';
import { type PackageJson, packageFiles } from './packageJson';

/** The generated files and their texts. @param packageJson the committed text of package.json */
export function generate(packageJson: string): Readonly<Record<string, string>> {
  const current: PackageJson = JSON.parse(packageJson);
  const preview = previewContributions();
  const page = pageContributions();
  const receipt = receiptContributions();
  const features = Object.values(contributions);
  const { manifest, texts } = packageFiles(current, features, {
    ...preview,
    resourceLabelFormatters: [...preview.resourceLabelFormatters, ...page.resourceLabelFormatters],
    languages: [...preview.languages, ...page.languages, receipt.language],
    grammars: [...preview.grammars, ...page.grammars],
    configurationDefaults: {
      ...preview.configurationDefaults,
      ...page.configurationDefaults,
      ...receipt.settings,
    },
  });
  return {
    'package.json': json(manifest),
    'package.nls.json': json(texts),
    'docs/commands.md': commandTables(contributions),
    'docs/settings.md': settingTables(contributions),
  };
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
