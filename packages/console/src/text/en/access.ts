export const access = {
  'access.title': 'Access',
  'access.about':
    'Who has which role. People have the highest role given to them or to one of their groups.',
  'access.add': 'Add access',
  'access.list': 'Roles of people and groups',
  'access.none': 'No one has a role yet',
  'access.none.about':
    'Give a role to a person or a group. A person with a role signs in with an invitation.',
  'access.hidden': 'You cannot see who has access',
  'access.who': 'Person or group',
  'access.through': 'Given to',
  'access.through.own': 'The person',
  'access.through.group': 'All members',
  'access.role': 'Role',
  'access.role.about': 'What the person, or each member of the group, can do.',
  'access.archived': 'The group is archived, so it gives no role.',
  'access.members.show.of': 'All members of {name}',
  'access.members.of': 'Members of {name}, who have the role {role}',
  'access.members.none': 'The group has no members.',
  'access.members.more': 'View all members',
  'access.missing': 'Choose a person or a group.',
  'access.already': 'Has a role already. Change that entry.',
  'access.change': 'Change role',
  'access.change.one': 'Change role: {name}',
  'access.remove.title': 'Remove the role of {name}?',
  'access.remove.person':
    'The person loses the rights of this role from the next request on. Roles of their groups ' +
    'stay.',
  'access.remove.group':
    'The members lose the rights of this role from the next request on. Their own roles stay.',
  'access.saved': '{name} is now {role}.',
  'access.removed': 'The role of {name} was removed.',
  'access.conflict.about':
    'Your change is not saved. The list is up to date now: check it, and make your change again.',
  'link.action': 'Sign-in link',
  'link.title': 'Sign-in link for {name}',
  'link.about':
    'Anyone with the link can sign in as {name} once. Send it only to them. A new link replaces ' +
    'earlier ones.',
  'link.enrols':
    'This workspace does not allow sign-in with a link. The link only adds a passkey, with which ' +
    'the person then signs in.',
  'link.purpose': 'Purpose',
  'link.purpose.invitation': 'Invitation, valid for 72 hours',
  'link.purpose.sign_in': 'Sign-in, valid for 15 minutes',
  'link.submit': 'Create link',
  'link.created': 'Link for {name} created',
  'link.once': 'The link is shown only once',
  'link.once.about': 'It works once, until {instant}. Copy it now and send it to the person.',
  'link.url': 'Link',
  'link.kept': 'I have copied the link',
  'end-sessions.action': 'End sessions',
  'end-sessions.title': 'End all sessions of {name}?',
  'end-sessions.about':
    'The person is signed out of every browser. Personal keys stay valid; suspend the person to ' +
    'refuse those too.',
  'end-sessions.count': {
    one: 'The person is signed in to {count} browser.',
    other: 'The person is signed in to {count} browsers.',
  },
  'end-sessions.done': '{name} was signed out of every browser.',
  'person-access.own': '{role}, own entry',
  'person-access.through': '{role}, through',
  'person-access.none': 'No role. The person cannot use the console.',
  'person-access.manage': 'Manage access',
  'person-access.sessions.in': { one: 'In {count} browser', other: 'In {count} browsers' },
  'person-identity.name': 'Account',
  'person-identity.none': 'None at the identity provider',
  'person-identity.account': '{subject} at {issuer}',
  'person-identity.bound': 'Bound {age}, {used}',
  'person-identity.remove': 'Remove the account',
  'person-identity.remove.title': 'Remove the account of {name}?',
  'person-identity.remove.about':
    'The account no longer signs in as this person. Sessions that the person started at the ' +
    'identity provider end.',
  'person-identity.remove.match':
    'An account that still matches the email or external ID of the person is bound again at its ' +
    'next sign-in. Correct them first.',
  'person-identity.removed': 'The account of {name} was removed.',
  'person-passkey.about': 'Created {age}, {used}',
  'person-passkey.remove.title': 'Remove the passkey “{name}” of {person}?',
  'person-passkey.remove.about':
    'It no longer signs the person in. Sessions that the person started with a passkey end.',
  'person-sign-in.used': 'last used {age}',
  'person-sign-in.unused': 'not used yet',
  'person-access.confirm': 'Allow sign-in after changed email',
  'person-access.confirm.title': 'Confirm the identity of {name}?',
  'person-access.confirm.about':
    'The identity provider finds the person by email or external ID. After someone with fewer ' +
    'rights changed these, the person gets no further rights until you confirm them. Check with ' +
    'the person that both are theirs.',
  'person-access.confirm.ends':
    'If an account was connected since the change, the person is signed out, and their passkeys ' +
    'and personal keys end. They sign in again with their own account.',
  'identity-change.email': 'Email changed by {name} on {day}',
  'identity-change.external_id': 'External ID changed by {name} on {day}',
  'identity-change.both': 'Email or external ID changed by {name} on {day}',
  'identity-change.someone': 'someone with fewer rights',
  'person-access.confirmed': 'The identity of {name} is confirmed.',
  'person-access.inactive': 'Only an active person can sign in.',
  'audit.title': 'Audit log',
  'audit.about': 'Sign-ins, refusals, exports and changes of access, newest first.',
  'audit.list': 'Entries',
  'audit.hidden': 'You cannot see the audit log',
  'audit.view.access': 'Access and keys',
  'audit.view.refused': 'Failed sign-ins',
  'audit.type': 'What happened',
  'audit.time': 'Time',
  'audit.who': 'Who',
  'audit.what': 'What',
  'audit.client': 'With',
  'audit.from': 'From',
  'audit.times': '{type}, {count} times',
  'audit.imported': '(imported)',
  'audit.none': 'No entries',
  'audit.none.about': 'Sign-ins and changes of access appear here. Remove a filter to see more.',
} as const
