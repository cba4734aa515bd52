"""The desk in Microsoft's own test client for Teams, which a real Chromium shows; nothing leaves the machine."""
