export const signIn = {
  'sign-in.title.to': 'Sign in to {name}',
  'sign-in.workspace': 'Your organisation',
  'sign-in.workspace.about':
    'Its short name, such as northwater, or the ID from the address in your invitation.',
  'sign-in.workspace.unknown': 'No organisation has this name',
  'sign-in.workspace.unknown.about':
    'Check the spelling, or ask an administrator for the address of your sign-in page.',
  'sign-in.workspace.other': 'Another workspace',
  'sign-in.workspace.submit': 'Continue',
  'sign-in.provider': 'Sign in with your organisation',
  'sign-in.passkey': 'Sign in with a passkey',
  'sign-in.no-passkey':
    'No passkey yet? Ask an administrator of your workspace for a sign-in link.',
  'sign-in.link.title': 'Sign in to {workspace} as {person}',
  'sign-in.link.about': 'The link works once. It is used when you sign in.',
  'sign-in.link.session': 'You are signed in to {workspace} as {name}. This ends that session.',
  'sign-in.link.enrol':
    'This workspace does not allow sign-in with a link. Your link adds a passkey to this browser. ' +
    'Then you sign in with the passkey.',
  'sign-in.link.enrolled': 'The passkey was created. Sign in with it now.',
  'sign-in.refused.method':
    'This workspace does not allow sign-in with an identity provider. Use another way.',
  'draft.other':
    'You are signed in as {name}. What another person typed in this tab was not saved and is gone.',
  'sign-in.refused': 'You are not signed in',
  'sign-in.refused.about':
    'The account at the identity provider is not valid for this workspace, or the sign-in took ' +
    'too long. Try again, or ask an administrator of your workspace for a sign-in link.',
  'sign-in.step-up.refused': 'You have not signed in again',
  'sign-in.step-up.refused.about':
    'The identity provider did not confirm that you signed in just now, so it cannot confirm ' +
    'changes of access. Your session stays as it was. Use a passkey or a new sign-in link. ' +
    'An administrator finds the reason in the audit log.',
  'sign-in.use-key': 'Use an API key',
  'sign-in.about':
    'Paste an API key of your workspace. The console exchanges it for a session and does not ' +
    'store it. You have the permissions of the key.',
  'sign-in.submit': 'Sign in',
  'sign-in.no-key': 'No key yet? An administrator creates one with:',
  'sign-in.again.signed_out': 'You have been signed out',
  'sign-in.again.signed_out.about': 'Sign in to save; your text stays here.',
  'sign-in.again.other': 'You signed in as {now}',
  'sign-in.again.other.about':
    'Nothing was sent, because {before} typed this text. Sign in as {before} to save it, or ' +
    'continue without it.',
  'sign-in.again.other.continue': 'Continue as {now}',
  'sign-in.again.tab':
    'Or sign in with another tab of this browser, for example with a new sign-in link. Then ' +
    'continue here.',
  'sign-in.again.recent': 'Sign in again',
  'sign-in.again.recent.about':
    'This change needs a recent sign-in. Your input is kept, and the change is made afterwards.',
  'sign-in.again.key': 'Enter the API key that you signed in with.',
  'sign-in.again.provider': 'Sign in with your organisation in a new tab',
  'sign-in.again.nothing':
    'You have no passkey and no account at an identity provider, so you need a new sign-in link.',
  'sign-in.again.link':
    'Open the new sign-in link in another tab of this browser. Then continue here.',
  'sign-in.again.administrator': 'Another administrator can create it for you, on your page.',
  'sign-in.again.command': 'The operator of this service creates it with this command:',
  'sign-in.again.command.name': 'Command',
  'sign-in.again.continue': 'I have signed in again',
  'sign-in.again.not-yet': 'You have not signed in again yet. Sign in, then continue here.',
  'passkey.error.cancelled':
    'No passkey was used: the request was cancelled or took too long. Try again, or choose ' +
    'another way.',
  'passkey.error.exists': 'This device already has a passkey for your account.',
  'passkey.first': 'Add a passkey',
  'passkey.first.about':
    'You manage access, and your sign-in link works once. Changes of access need a sign-in of the ' +
    'last 10 minutes. With a passkey you sign in again with your fingerprint, your face or the ' +
    'PIN of your device.',
  'passkey.first.later':
    'Without one you need a new sign-in link each time: from another administrator, or from the ' +
    'operator of this service.',
  'passkey.offer': 'Sign in faster next time',
  'passkey.offer.later': 'Not now',
} as const
