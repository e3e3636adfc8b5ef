"""Servers, clients and visitors for tests of the web app."""
