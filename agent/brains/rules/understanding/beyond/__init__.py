"""Messages that no tool and no document answers: small talk, what the desk itself is, matters of no workplace."""
