import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const displayTexts = defineTextCatalogue(en, () => import('./fr.ts'))
