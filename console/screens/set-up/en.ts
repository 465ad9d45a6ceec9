export default {
  email: 'Email',
  firstTitle: 'Welcome to Stentor',
  firstWhy: 'You are the first person here. You will be able to do everything, and to invite others.',
  name: 'Your name',
  password: 'Password',
  passwordRule: '12 characters at least; a sentence is best.',
  start: 'Begin',
} as const
