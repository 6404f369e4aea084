import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './main.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { cache, whenSignedOut } from '#api/cache.ts'
import { nonce } from '#ui/nonce.ts'
import { cssVariables, theme } from '#ui/theme.ts'

import { router, toSignIn } from './routes.tsx'
import { trustNothingButStyles } from './trusted.ts'

trustNothingButStyles()
whenSignedOut(toSignIn)

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the console.')

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={nonce}
    >
      <QueryClientProvider client={cache}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
