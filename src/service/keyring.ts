import { type Sentence, sentence } from '../base/sentence';
import { ServiceError } from './errors';

const advice: Partial<Record<NodeJS.Platform, Sentence>> = {
  linux: sentence('Unlock the login keyring (GNOME Keyring, KWallet), then try again.'),
  darwin: sentence('Unlock the keychain "login" in Keychain Access, then try again.'),
  win32: sentence('Sign out of Windows and in again, then try again.'),
};

/** VS Code documentation about keyrings on each platform. */
export const unlockPage =
  'https://code.visualstudio.com/docs/configure/settings-sync#_troubleshooting-keychain-issues';

/** @param platform of the computer that stores the secrets; undefined where it is not known. */
export function keyringError(
  what: 'read' | 'write',
  platform: NodeJS.Platform | undefined,
  cause: unknown,
): ServiceError {
  const problem =
    what === 'read'
      ? sentence(
          'The stored API key cannot be read: the keyring of the system is locked or does not answer.',
        )
      : sentence(
          'The API key cannot be stored or removed: the keyring of the system is locked or does not answer.',
        );
  const next =
    (platform && advice[platform]) ??
    sentence('Unlock the keyring of the computer that shows this window, then try again.');
  return new ServiceError('keyring', sentence('{0} {1}', problem, next), { cause });
}
