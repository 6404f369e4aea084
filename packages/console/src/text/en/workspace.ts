export const workspace = {
  'workspace.about': 'Details',
  'workspace.name.about': 'The name of your organisation.',
  'workspace.zone.shown': '{zone} (now {time})',
  'workspace.zone.about': 'Dates become overdue at midnight in this time zone.',
  'workspace.zone.now': 'Dates become overdue at midnight in this time zone. Local time: {time}.',
  'workspace.zone.nothing': 'No time zones match',
  'workspace.slug': 'Short name',
  'workspace.slug.about':
    'People sign in at this address. Anyone who guesses it sees the name of your organisation.',
  'workspace.slug.field':
    'For the address of your sign-in page: 3 to 40 lower-case letters, digits and hyphens. ' +
    'Anyone who guesses it sees the name of your organisation. Leave empty for none.',
  'workspace.id': 'Workspace ID',
  'workspace.id.about': 'The address of the sign-in page contains it.',
  'workspace.policies': 'Policies',
  'workspace.key-days': 'Maximum key lifetime',
  'workspace.key-days.about': 'Applies to new keys. Existing keys do not change.',
  'workspace.key-days.any': 'No limit',
  'workspace.key-days.field': 'In days, at most 366. Leave empty for no limit.',
  'workspace.session-days': 'Session lifetime',
  'workspace.session-days.about':
    'After this time, people must sign in again. Applies to new sessions.',
  'workspace.idle-hours': 'Inactivity limit of sessions',
  'workspace.idle-hours.about': 'A session that is not used for this time ends.',
  'workspace.idle-hours.field': 'In hours, at most 168. Applies to existing sessions at once.',
  'workspace.hours': { one: '{count} hour', other: '{count} hours' },
  'workspace.methods': 'Ways to sign in',
  'workspace.methods.about':
    'How people may sign in to the console. If links are not allowed, a sign-in link only adds a ' +
    'passkey. API requests with a key always work.',
  'workspace.methods.none': 'Choose at least one.',
  'workspace.days': { one: '{count} day', other: '{count} days' },
  'workspace.edit.title': 'Edit workspace',
  'workspace.updated': 'The workspace was updated.',
  'sign-in-settings.title': 'Sign-in settings',
  'sign-in-settings.hidden': 'You cannot see the sign-in settings',
  'sign-in-settings.addresses': 'Addresses',
  'sign-in-settings.url': 'Sign-in page',
  'sign-in-settings.redirect': 'Redirect URI, to register at the identity provider',
  'provider.title': 'Identity provider',
  'provider.about':
    'With an OpenID Connect provider, people sign in with the account of your organisation.',
  'provider.none': 'No identity provider',
  'provider.none.about': 'People sign in with links from an administrator, and with passkeys.',
  'provider.set': 'Set identity provider',
  'provider.submit.anyway': 'Save anyway',
  'provider.submit.about': 'Saving tests a new issuer first.',
  'provider.preset': 'Provider',
  'provider.preset.entra': 'Microsoft Entra ID',
  'provider.preset.entra.about':
    'In the issuer, replace TENANT_ID with the directory (tenant) ID of the app registration. The ' +
    'client ID is its application ID. Register the redirect URI for the platform Web.',
  'provider.preset.okta': 'Okta',
  'provider.preset.okta.about':
    'In the issuer, replace YOUR_DOMAIN with the domain of your organisation. Client ID and secret ' +
    'are those of an app integration of the type OIDC, Web Application.',
  'provider.preset.google': 'Google',
  'provider.preset.google.about':
    'Create an OAuth client of the type Web application. List your email domains below: every ' +
    'Google account has this issuer.',
  'provider.preset.other': 'Other (OpenID Connect)',
  'provider.preset.other.about': 'Keycloak, Authentik, Auth0 and others.',
  'provider.placeholder': 'Replace {placeholder}.',
  'provider.issuer': 'Issuer',
  'provider.issuer.about': 'The URL of the provider, without /.well-known/…',
  'provider.client-id': 'Client ID',
  'provider.client-secret': 'Client secret',
  'provider.client-secret.about': 'The provider shows it when you register the client.',
  'provider.client-secret.kept': 'Leave empty to keep the stored secret.',
  'provider.match': 'Find a person by',
  'provider.match.about':
    'Only at the first sign-in. Afterwards the account itself is bound to the person.',
  'provider.match.email': 'Verified email',
  'provider.match.external_id': 'External ID (claim external_id)',
  'provider.domains': 'Allowed email domains',
  'provider.domains.about': 'One per line, such as example.com. Leave empty for any domain.',
  'provider.domains.any': 'Any',
  'provider.first': 'People without a role',
  'provider.first.refuse': 'Refuse the sign-in',
  'provider.first.reader': 'Give the role Reader at the first sign-in',
  'provider.saved': 'The identity provider was saved.',
  'provider.new-issuer':
    'A new issuer ends the binding of all accounts to people, and the sessions that were started ' +
    'at the old one. People are found again at the next sign-in.',
  'provider.test': 'Test',
  'provider.test.title': 'Result of the test',
  'provider.test.ok': 'Every check passed.',
  'provider.test.failed': 'A check failed.',
  'provider.check.passed': 'Passed:',
  'provider.check.failed': 'Failed:',
  'provider.remove.title': 'Remove the identity provider?',
  'provider.remove.about':
    'People then sign in with links and passkeys. The accounts are no longer bound to people, and ' +
    'the sessions that were started at the provider end.',
  'provider.removed': 'The identity provider was removed.',
} as const
