export default {
  dark: 'Dark',
  desktop: 'Desktop',
  phone: 'Phone',
  pictures: 'Pictures',
  picturesWhy: 'Pictures of the internet: their hosts learn that this was looked at.',
  source: 'Source',
  text: 'Text',
  view: 'View',
} as const
