import type { Translated } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  email: 'Adresse électronique',
  firstTitle: 'Bienvenue dans Stentor',
  firstWhy: 'Vous êtes la première personne ici. Vous pourrez tout faire, et inviter les autres.',
  name: 'Votre nom',
  password: 'Mot de passe',
  passwordRule: '12 caractères au moins ; une phrase convient très bien.',
  start: 'Commencer',
} satisfies Translated<typeof en>
