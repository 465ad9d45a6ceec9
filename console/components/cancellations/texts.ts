import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const cancellationTexts = defineTextCatalogue(en, () => import('./fr.ts'))
