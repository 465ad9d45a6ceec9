export default {
  dark: 'Dark',
  desktop: 'Desktop',
  phone: 'Phone',
  pictures: 'Pictures',
  picturesWhy: 'Loads pictures from the internet. Their servers can see that the message was opened.',
  source: 'Source',
  text: 'Text',
  view: 'View',
} as const
