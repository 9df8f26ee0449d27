import { contribute, localized } from '../platform/commands/contribute';
import { chatName } from '../platform/ids';
import { chatParticipant } from './ids';

const chatCommand = (name: string, description: string) => ({ name, description: localized(`chat.${name}`, description) });

export const contributions = contribute({
  others: {
    chatParticipants: [
      {
        id: chatParticipant,
        name: chatName,
        fullName: 'Splice',
        description: localized('chat.description', 'Applies code from the chat, searches your code, and compacts the conversation. Any other prompt goes to the chosen model.'),
        isSticky: true,
        commands: [
          chatCommand('apply', 'Open the code blocks of the conversation, or of your prompt, as reviews'),
          chatCommand('search', 'Find the code that answers a question'),
          chatCommand('compact', 'Shrink this conversation to the lines that matter'),
          chatCommand('route', 'Ask the router how hard a prompt is and which model to use (needs an API key)'),
        ],
      },
    ],
  },
});
