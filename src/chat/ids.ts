export const chatParticipant = 'splice.chat';
