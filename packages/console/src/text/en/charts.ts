export const charts = {
  'chart.table': 'Table',
  'chart.exposure': 'Exposure',
  'chart.exposure.about': 'sum of scores, by level',
  'chart.exposure.label':
    'Exposure from {from} to {to}. Now {sum}{levels}. {occurred} occurred, {above} above appetite.',
  'chart.exposure.since': 'On {day} it was {sum}.',
  'chart.day': 'Day',
  'chart.occurred': 'occurred',
  'chart.occurred.column': 'Occurred',
  'chart.occurred.on': { one: '{count} occurred, {day}', other: '{count} occurred, {day}' },
  'chart.above': 'above appetite',
  'chart.score': 'Score of {ref} since {day}: {scores}',
  'chart.score.left': 'Score of {ref} since {day}: {scores}. It left the register.',
  'chart.project': 'Exposure of {name} since {day}: from {first} to {last}',
  'chart.bridge': 'Exposure: {before} before, {steps}, {after} after',
  'chart.bridge.step': '{name} {points}',
} as const
